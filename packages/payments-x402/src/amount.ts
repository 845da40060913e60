/**
 * `0.01` with 6 decimals is `10000`; `undefined` for an invalid price: zero, a sign, more decimals than the token has.
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

/** Whether a rate changes nothing. */
export const isPar = (rate: string): boolean => /^1(\.0+)?$/.test(rate)

/** Two decimals as integers of one scale. */
const scaled = (decimal: string): { readonly digits: bigint; readonly scale: number } => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/**
 * A price in a currency as tokens, at so many tokens for one unit. One to one it is exact or nothing; converted, what is
 * less than the smallest unit counts as one.
 */
export function toAtomicAt(rate: string, decimal: string, decimals: number): string | undefined {
  if (isPar(rate)) return toAtomic(decimal, decimals)
  // The price itself has to be one.
  if (toAtomic(decimal, 36) === undefined) return undefined
  const price = scaled(decimal)
  const factor = scaled(rate)
  const unit = 10n ** BigInt(price.scale + factor.scale)
  const atomic = price.digits * factor.digits * 10n ** BigInt(decimals)
  return ((atomic + unit - 1n) / unit).toString()
}

/** `10000` with 6 decimals is `0.01`. */
export function toDecimal(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
