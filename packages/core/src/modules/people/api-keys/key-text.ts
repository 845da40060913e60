import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix of every API key, by which secret scanners recognize keys. */
export const KEY_PREFIX = 'eep_' as const

const SECRET_BYTES = 32
const SECRET_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6
const KEY = /^eep_[0-9A-Za-z]{49}$/

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text
  return text
}

const checksumOf = (text: string) => base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS)

/** A new key: the prefix, 256 random bits, and a checksum of both. */
export function newKeyText(): string {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_CHARACTERS)
  const text = `${KEY_PREFIX}${secret}`
  return text + checksumOf(text)
}

/** Whether a text can be a key; mistyped and invented ones are not looked up. */
export const isKeyText = (text: string): boolean =>
  KEY.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_CHARACTERS)))

/** A hint for lists, by which the owner can recognize the key. */
export const maskKey = (text: string): string => `${text.slice(0, KEY_PREFIX.length + 4)}…${text.slice(-4)}`
