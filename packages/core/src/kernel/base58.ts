const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Decodes base58 (Bitcoin alphabet).
 *
 * @throws RangeError for a character that is not in the alphabet
 */
export function decodeBase58(text: string): Uint8Array {
  let value = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) throw new RangeError(`"${character}" is not base58`)
    value = value * 58n + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const leading = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([Buffer.alloc(leading), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')])
}
