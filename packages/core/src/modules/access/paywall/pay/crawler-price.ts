import type { CredentialHeaders, Purchase } from '../../../../ports/payment-rail.ts'
import { conflictingPriceHeaders, invalidCrawlerPrice } from '../errors.ts'

// The headers of "pay per crawl". They state and limit a price and never pay one: a payment is always the credential of a rail
// in the same request.

type Price = Purchase['price']

/** The values of `crawler-error` that the paywall sends. */
export type CrawlerError = 'InvalidCrawlerMaxPrice' | 'InvalidCrawlerExactPrice' | 'PaymentFailed'

/** The reason code of a payment that was not taken, because its price does not meet the limit of the request. */
export const PRICE_LIMIT_NOT_MET = 'price_limit_not_met'

/** The limit that a request sets for its price. Currencies are not converted. */
export interface PriceLimit {
  readonly is: 'max' | 'exact'
  readonly currency: string
  /** In millionths of the currency. */
  readonly micros: bigint
}

/** The currency as an ISO 4217 code: USDC is shown as `USD`. */
export const currencyOf = ({ currency }: Pick<Price, 'currency'>): string =>
  currency === 'usdc' ? 'USD' : currency.toUpperCase()

const microsOf = (decimal: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(6, '0').slice(0, 6))
}

/** Writes a price with at least two decimals: `USD 0.01`, `USD 5.00`. */
export function crawlerPrice({ amount, currency }: Price): string {
  const [whole, fraction = ''] = amount.split('.')
  return `${currencyOf({ currency })} ${whole}.${fraction.padEnd(2, '0')}`
}

/** The lowest price in the currency of the first one, because currencies are not compared. Undefined without prices. */
export function lowestPrice(prices: readonly Price[]): Price | undefined {
  const [first] = prices
  if (!first) return undefined
  return prices
    .filter((price) => currencyOf(price) === currencyOf(first))
    .reduce((lowest, price) => (microsOf(price.amount) < microsOf(lowest.amount) ? price : lowest))
}

const WRITTEN = /^([A-Z]{3}) ((?:0|[1-9]\d{0,11})(?:\.\d{1,6})?)$/

/**
 * Reads the limit that a request sets for its price; undefined without one.
 *
 * @throws `conflicting_price_headers`, `invalid_crawler_price`
 */
export function readPriceLimit({
  crawlerMaxPrice: max,
  crawlerExactPrice: exact,
}: CredentialHeaders): PriceLimit | undefined {
  if (max !== undefined && exact !== undefined) {
    throw conflictingPriceHeaders({ crawler: { error: 'ConflictingPriceHeaders' } })
  }
  const text = max ?? exact
  if (text === undefined) return undefined
  const [, currency, amount] = WRITTEN.exec(text) ?? []
  if (currency === undefined || amount === undefined) {
    throw invalidCrawlerPrice({ crawler: { error: 'InvalidCrawlerPriceValue' } })
  }
  return { is: max === undefined ? 'exact' : 'max', currency, micros: microsOf(amount) }
}

/** Whether a price is within a limit. */
export function meetsLimit(limit: PriceLimit, price: Price): boolean {
  if (currencyOf(price) !== limit.currency) return false
  const micros = microsOf(price.amount)
  return limit.is === 'max' ? micros <= limit.micros : micros === limit.micros
}

const NOT_MET = { max: 'InvalidCrawlerMaxPrice', exact: 'InvalidCrawlerExactPrice' } as const

/**
 * Returns the `crawler-error` of a 402. Undefined for a request that neither limits its price nor presents a payment.
 *
 * @param reason - why a payment was refused; undefined without one
 */
export function crawlerErrorOf(
  limit: PriceLimit | undefined,
  price: Price | undefined,
  reason: string | undefined,
): CrawlerError | undefined {
  if (reason !== undefined) return limit && reason === PRICE_LIMIT_NOT_MET ? NOT_MET[limit.is] : 'PaymentFailed'
  if (!limit) return undefined
  return price && !meetsLimit(limit, price) ? NOT_MET[limit.is] : 'PaymentFailed'
}
