const DECIMALS = 6

/** Writes an amount of test USDC, in its smallest unit, as a decimal number. */
export function decimalOfTestUsdc(atomic: bigint): string {
  const digits = `${atomic}`.padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -DECIMALS)}${decimals && `.${decimals}`}`
}
