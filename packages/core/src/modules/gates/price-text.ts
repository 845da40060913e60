interface Price {
  /** Decimal. */
  readonly amount: string
  readonly currency: string
  readonly per: string
}

/** A price as a reader says it: `2.5 USD per month`, `0.01 USDC once`. */
export const priceText = ({ amount, currency, per }: Price): string =>
  `${amount} ${currency.toUpperCase()} ${per === 'once' ? per : `per ${per}`}`
