import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a string or bytes. */
export const sha256 = (data: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string =>
  createHash('sha256').update(data).digest(encoding)

// Creating a key object takes five times as long as signing a line of text with it.
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** HMAC-SHA-256, as base64url by default. Key objects are cached, so the bytes of a key must not change after its first use. */
export function hmac(key: Uint8Array, data: string, encoding: 'base64url' | 'hex' = 'base64url'): string {
  const known = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, known)
  return createHmac('sha256', known).update(data).digest(encoding)
}

/** Compares two strings in constant time. Their lengths may differ. */
export const sameText = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest())

/** Derives a 32-byte key for one purpose from a secret (HKDF-SHA-256, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, 'eep', purpose, 32))

/** JSON with sorted keys and no white space, so that equal values serialize to equal strings (RFC 8785, for plain values). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([left], [right]) => (left < right ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
