import { z } from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Purchase } from '../../../ports/payment-rail.ts'
import type { Quote } from '../../access/paywall/index.ts'

/** What an operation states of its price, for registries of the scheme `Payment` (`offers`) and for agents (`price`, `protocols`). */
export interface PaymentInfo extends JsonObject {
  readonly price: JsonObject
  readonly protocols: readonly JsonObject[]
}

/** Currencies that are shown by the ISO 4217 code of the currency that they represent. */
const SHOWN_AS: Readonly<Record<string, string>> = { usdc: 'USD' }

/** The currency of a price as an ISO 4217 code: `USD` for `usdc`. */
export const isoCurrency = (currency: string): string => SHOWN_AS[currency.toLowerCase()] ?? currency.toUpperCase()

/** The request of a challenge: the amount in the smallest unit, and its currency. */
const requestSchema = z.looseObject({ amount: z.string().regex(/^(0|[1-9]\d*)$/), currency: z.string().min(1) })

interface PaymentOffer {
  readonly intent: string
  readonly method: string
  readonly amount: string
  readonly currency: string
  readonly description?: string
}

/** Reads the offer of a challenge; undefined for one without an amount. */
function offerOf({
  intent,
  method,
  request = '',
  description,
}: Readonly<Record<string, string>>): PaymentOffer | undefined {
  if (!intent || !method) return undefined
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(request, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  const { success, data } = requestSchema.safeParse(decoded)
  if (!success) return undefined
  const { amount, currency } = data
  return { intent, method, amount, currency, ...(description && { description }) }
}

/** The lowest price among purchases, in the currency of the first one: amounts of different currencies are not compared. */
export function lowestPrice(purchases: readonly Purchase[]): Purchase['price'] {
  const [first] = purchases
  if (!first) throw new Error('a quote has at least one purchase')
  return purchases
    .map(({ price }) => price)
    .filter(({ currency }) => currency === first.price.currency)
    .reduce((lowest, price) => (Number(price.amount) < Number(lowest.amount) ? price : lowest))
}

/** The offers that clients of x402 pay: those of the scheme `exact`. Rails may list others, which only their own clients read. */
export const exactOffers = ({ accepts }: Pick<Quote, 'accepts'>): readonly JsonObject[] =>
  accepts.filter(({ scheme }) => scheme === 'exact')

function protocolsOf(quote: Quote): readonly JsonObject[] {
  const offers = quote.challenges.map(offerOf).filter((offer) => offer !== undefined)
  const methods = new Map(
    offers.map(({ method, intent, currency }) => [`${method} ${intent}`, { method, intent, currency }]),
  )
  return [...(exactOffers(quote).length > 0 ? [{ x402: {} }] : []), ...[...methods.values()].map((mpp) => ({ mpp }))]
}

/** The extension `x-payment-info` of a resource with one price. */
export function paymentInfo(quote: Quote): PaymentInfo {
  const { amount, currency } = lowestPrice(quote.purchases)
  const offers = quote.challenges.map(offerOf).filter((offer) => offer !== undefined)
  return {
    price: { mode: 'fixed', currency: isoCurrency(currency), amount },
    protocols: protocolsOf(quote),
    ...(offers.length > 0 && { offers: offers.map((offer) => ({ ...offer })) }),
  }
}

/** The extension of a path with a parameter, which stands for resources with different prices, up to the highest of some quotes. */
export function templateInfo(quotes: readonly [Quote, ...Quote[]]): PaymentInfo {
  const [example] = quotes
  const { currency } = lowestPrice(example.purchases)
  const amounts = quotes
    .map(({ purchases }) => lowestPrice(purchases))
    .filter((price) => price.currency === currency)
    .map(({ amount }) => amount)
  const max = amounts.reduce((highest, amount) => (Number(amount) > Number(highest) ? amount : highest))
  const offers = example.challenges.map(offerOf).filter((offer) => offer !== undefined)
  return {
    price: { mode: 'dynamic', currency: isoCurrency(currency), min: '0', max },
    protocols: protocolsOf(example),
    ...(offers.length > 0 && { offers: offers.map((offer) => ({ ...offer, amount: null })) }),
  }
}
