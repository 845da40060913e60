/**
 * Converts `0.01` with 6 decimals to `10000`. Undefined for an invalid price: zero, a sign, or more decimals than the token has.
 *
 * @internal
 */
export function toAtomic(decimal: string, decimals: number): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,36}))?$/.exec(decimal) ?? []
  const digits = fraction.replace(/0+$/, '')
  if (whole === undefined || digits.length > decimals) return undefined
  const atomic = BigInt(whole + digits.padEnd(decimals, '0'))
  return atomic === 0n ? undefined : atomic.toString()
}

/** Whether a rate is one to one. */
export const isPar = (rate: string): boolean => /^1(\.0+)?$/.test(rate)

/** Scales two decimals to integers. */
const scaled = (decimal: string): { readonly digits: bigint; readonly scale: number } => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/**
 * Converts a price to tokens, at a rate of tokens per unit. One to one, the result is exact or undefined; converted, a fraction
 * of the smallest unit is rounded up.
 */
export function toAtomicAt(rate: string, decimal: string, decimals: number): string | undefined {
  if (isPar(rate)) return toAtomic(decimal, decimals)
  // The price itself must be valid.
  if (toAtomic(decimal, 36) === undefined) return undefined
  const price = scaled(decimal)
  const factor = scaled(rate)
  const unit = 10n ** BigInt(price.scale + factor.scale)
  const atomic = price.digits * factor.digits * 10n ** BigInt(decimals)
  return ((atomic + unit - 1n) / unit).toString()
}

/** Formats an amount: `10000` with 6 decimals is `0.01`. */
export function toDecimal(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
