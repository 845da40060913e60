import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const SECRET_BYTES = 32
const SECRET_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6
const BODY = /^[0-9A-Za-z]{49}$/

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text
  return text
}

const checksumOf = (text: string) => base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS)

/** The text of 32 bytes: the prefix, 43 characters of base 62, and a checksum of both, as credentials have it. */
export function checkedText(prefix: string, secret: Uint8Array): string {
  const text = `${prefix}${base62(BigInt(`0x${Buffer.from(secret).toString('hex')}`), SECRET_CHARACTERS)}`
  return text + checksumOf(text)
}

/** A new credential: the prefix, 256 random bits, and a checksum of both. */
export const newCheckedText = (prefix: string): string => checkedText(prefix, randomBytes(SECRET_BYTES))

/** Whether a text can be a credential with this prefix; mistyped and invented ones are not looked up. */
export const isCheckedText = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) &&
  BODY.test(text.slice(prefix.length)) &&
  text.endsWith(checksumOf(text.slice(0, -CHECKSUM_CHARACTERS)))
