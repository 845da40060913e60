/** `0.01` with 6 decimals is `10000`; `undefined` for what is no price: zero, a sign, more decimals than the token has. */
export function toAtomic(decimal: string, decimals: number): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,36}))?$/.exec(decimal) ?? []
  const digits = fraction.replace(/0+$/, '')
  if (whole === undefined || digits.length > decimals) return undefined
  const atomic = BigInt(whole + digits.padEnd(decimals, '0'))
  return atomic === 0n ? undefined : atomic.toString()
}

/** `10000` with 6 decimals is `0.01`. */
export function toDecimal(atomic: string, decimals: number): string {
  const digits = atomic.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
