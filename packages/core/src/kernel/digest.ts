import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a text or bytes. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  createHash('sha256').update(data).digest(encoding)

// Making a key of its bytes takes five times as long as signing a line of text with it.
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** HMAC-SHA-256, as base64url by default. The bytes of a key must not change once it was used. */
export function hmac(key: Uint8Array, data: string, encoding: 'base64url' | 'hex' = 'base64url'): string {
  const known = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, known)
  return createHmac('sha256', known).update(data).digest(encoding)
}

/** Compares two texts in a time that depends on neither; their lengths may differ. */
export const sameText = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest())

/** A 32 byte key for one purpose, derived from a secret (HKDF-SHA-256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'eep', purpose, 32))

/** JSON with sorted keys and no spaces, so that equal values have equal texts (RFC 8785 for our plain values). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([left], [right]) => (left < right ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
