import { createPublicKey, ECDH, type JsonWebKey, type KeyObject } from 'node:crypto'
import { base58 } from '@scure/base'

/** The curves whose keys are read: their multicodec prefix as varint, and the length of their keys. */
const CURVES = [
  { prefix: [0xed, 0x01], bytes: 32, curve: 'Ed25519' },
  { prefix: [0xe7, 0x01], bytes: 33, curve: 'secp256k1', ecdh: 'secp256k1' },
  { prefix: [0x80, 0x24], bytes: 33, curve: 'P-256', ecdh: 'prime256v1' },
] as const

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

function jwkOf(key: Uint8Array, { curve, ...rest }: (typeof CURVES)[number]): JsonWebKey {
  if (!('ecdh' in rest)) return { kty: 'OKP', crv: curve, x: base64url(key) }
  const point = ECDH.convertKey(key, rest.ecdh, undefined, undefined, 'uncompressed') as Buffer
  return { kty: 'EC', crv: curve, x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)) }
}

/** A public key written as multibase text (`z6Mk…`); undefined for anything but Ed25519, secp256k1 and P-256. */
export function keyOfMultibase(text: string): KeyObject | undefined {
  if (!/^z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text)) return undefined
  const bytes = base58.decode(text.slice(1))
  const curve = CURVES.find(({ prefix, bytes: length }) => {
    const [first, second] = prefix
    return bytes.length === length + 2 && bytes[0] === first && bytes[1] === second
  })
  if (!curve) return undefined
  try {
    return createPublicKey({ key: jwkOf(bytes.subarray(2), curve), format: 'jwk' })
  } catch {
    // The bytes are not a point on the curve.
    return undefined
  }
}
