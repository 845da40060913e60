/** A digit for the number of digits that follow, so that strings sort like their numbers. */
const LENGTHS = '123456789abcd'
const MAX_PART = 2n ** 63n - 1n
const MAX_PARTS = 3
const RADIX = 36

/**
 * Encodes the position of an event in the log as its id on the wire: lower case letters and digits, in the order of the
 * log, at most 42 characters.
 */
export function encodeEventId(cursor: string): string {
  const parts = cursor.split('-').map((part) => {
    const digits = BigInt(part).toString(RADIX)
    return `${LENGTHS[digits.length - 1]}${digits}`
  })
  return parts.join('')
}

/** Decodes an id to the position of its event; undefined when this service cannot have created it. */
export function decodeEventId(id: string): string | undefined {
  const parts: bigint[] = []
  for (let at = 0; at < id.length; ) {
    const length = LENGTHS.indexOf(id.charAt(at)) + 1
    const digits = id.slice(at + 1, at + 1 + length)
    if (length === 0 || digits.length < length || parts.length === MAX_PARTS) return undefined
    const part = partOf(digits)
    if (part === undefined) return undefined
    parts.push(part)
    at += 1 + length
  }
  return parts.length === 0 ? undefined : parts.join('-')
}

function partOf(digits: string): bigint | undefined {
  if (!/^[0-9a-z]+$/.test(digits) || (digits.length > 1 && digits.startsWith('0'))) return undefined
  let value = 0n
  for (const digit of digits) value = value * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX))
  return value <= MAX_PART ? value : undefined
}
