import { createHmac, randomBytes } from 'node:crypto'
import { sameText } from '../../../kernel/digest.ts'

// RFC 6238 is one HMAC, so it needs no library. The test has the vectors of the RFC.

const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks of phones are off by some seconds: a code is also accepted one step before and after. */
const DRIFT = 1
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes in base 32 without padding (RFC 4648), which apps take as key. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((part) => ALPHABET[Number.parseInt(part.padEnd(5, '0'), 2)]).join('')
}

function bytesOf(key: string): Buffer {
  const bits = Array.from(key, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((part) => Number.parseInt(part, 2)))
}

/** A random key of 160 bits, as RFC 4226 recommends. */
export const newTotpKey = (): string => base32(randomBytes(20))

/**
 * The code of a time step. Exported for its test.
 *
 * @internal
 */
export function totpCode(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', bytesOf(key)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * The time step of a moment. Exported for its test.
 *
 * @internal
 */
export const stepOf = (at: Date): number => Math.floor(at.getTime() / 1000 / STEP_SECONDS)

/** The time step of a code, which may be one before or after the current one. Undefined when it is wrong. */
export function stepOfCode(key: string, code: string, at: Date): number | undefined {
  const now = stepOf(at)
  // The newest first, so that a code is not refused because an older step has the same one.
  for (let step = now + DRIFT; step >= now - DRIFT; step--) if (sameText(totpCode(key, step), code)) return step
  return undefined
}

/** The address with which apps add a key (the Key Uri Format of Google Authenticator). */
export function otpauthUrl(service: string, account: string, key: string): string {
  const label = `${encodeURIComponent(service.replaceAll(':', ' '))}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(service)}`
}
