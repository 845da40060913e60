import type { PriceLimits } from '../payment-rail.ts'

/** The decimal digits of a currency, and the minimum charge in its smallest unit. */
interface Currency {
  readonly digits: number
  readonly minimum: bigint
}

// https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
const CURRENCIES: Readonly<Record<string, Currency>> = {
  usd: { digits: 2, minimum: 50n },
  eur: { digits: 2, minimum: 50n },
  gbp: { digits: 2, minimum: 30n },
  chf: { digits: 2, minimum: 50n },
  cad: { digits: 2, minimum: 50n },
  aud: { digits: 2, minimum: 50n },
  nzd: { digits: 2, minimum: 50n },
  sgd: { digits: 2, minimum: 50n },
  dkk: { digits: 2, minimum: 250n },
  nok: { digits: 2, minimum: 300n },
  sek: { digits: 2, minimum: 300n },
  pln: { digits: 2, minimum: 200n },
  jpy: { digits: 0, minimum: 50n },
}

const MAXIMUM = 99_999_999n

/** The currencies that cards can be charged in, in lower case. */
export const CARD_CURRENCIES: readonly string[] = Object.keys(CURRENCIES)

/** Whether cards can be charged in a currency. */
export const isCardCurrency = (currency: string): boolean => Object.hasOwn(CURRENCIES, currency)

/**
 * Returns a price in the smallest unit of its currency. Undefined when it cannot be charged: an unsupported currency, below the
 * minimum, or a fraction of the smallest unit.
 */
export function chargeable(amount: string, currency: string): bigint | undefined {
  const known = isCardCurrency(currency) ? CURRENCIES[currency] : undefined
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(amount) ?? []
  if (!known || whole === undefined || /[1-9]/.test(fraction.slice(known.digits))) return undefined
  const atomic = BigInt(whole + fraction.slice(0, known.digits).padEnd(known.digits, '0'))
  return atomic >= known.minimum && atomic <= MAXIMUM ? atomic : undefined
}

/** The prices in a currency that cards can pay. */
export function limitsOf(currency: string): PriceLimits {
  const { digits, minimum } = CURRENCIES[currency] ?? { digits: 2, minimum: 1n }
  return { minimum: decimalOf(minimum, currency), maximum: decimalOf(MAXIMUM, currency), decimals: digits }
}

/** Formats an amount: `500` of `usd` is `5.00`. */
export function decimalOf(atomic: bigint, currency: string): string {
  const digits = CURRENCIES[currency]?.digits ?? 2
  const text = atomic.toString().padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
