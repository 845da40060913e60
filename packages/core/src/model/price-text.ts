import type { PaymentRequirement } from './gate-config.ts'

/** The price of a requirement as a decimal string without trailing zeros. */
export const decimalAmount = ({ amount }: Pick<PaymentRequirement, 'amount'>): string =>
  amount.toFixed(6).replace(/\.?0+$/, '')

interface Price {
  /** Decimal. */
  readonly amount: string
  readonly currency: string
  readonly per: string
}

/** Formats a price: `2.5 USD per month`, `0.01 USDC once`. */
export const priceText = ({ amount, currency, per }: Price): string =>
  `${amount} ${currency.toUpperCase()} ${per === 'once' ? per : `per ${per}`}`
