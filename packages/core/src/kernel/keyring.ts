import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { CompactSign } from 'jose'
import { canonicalJson, deriveKey, sha256 } from './digest.ts'

/** An Ed25519 private key as a JWK (RFC 8037). */
export interface SigningJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly d: string
  readonly kid?: string | undefined
}

export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
}

/** A symmetric key for one purpose, and its id. */
export interface SharedKey {
  readonly kid: string
  readonly key: Uint8Array
}

/** An Ed25519 key for one purpose other than receipts. */
export interface PurposeKey {
  readonly jwk: PublicJwk
  sign(bytes: Uint8Array): Uint8Array
}

/**
 * The keys of the service. Each kind is a list: the first key signs and all of them verify, so a key is rotated by adding a
 * new one at the front.
 */
export interface Keyring {
  /** The keys for one purpose, for example session tokens or payer cookies, derived from the secrets. */
  shared(purpose: string): readonly [SharedKey, ...SharedKey[]]
  /** Ed25519 keys for one purpose, derived from the secrets. The first signs, and all of them are published. */
  purposeKeys(purpose: string): readonly [PurposeKey, ...PurposeKey[]]
  /**
   * Signs a JSON value as a compact JWS (EdDSA, RFC 7515) that verifies with {@link Keyring.publicKeys}. With `did`, the
   * `kid` is the name of the key in the document of that DID.
   */
  sign(payload: unknown, type: string, did?: string): Promise<string>
  /** Signs a string (Ed25519, base64url), for protocols that use a detached signature. */
  signText(text: string): string
  /** Whether a signature over a string was made by a key of this service. */
  isOwnSignature(text: string, signature: string): boolean
  /** The keys that `/.well-known/jwks.json` serves. */
  readonly publicKeys: readonly PublicJwk[]
}

// The constant prefix of a PKCS #8 document with an Ed25519 seed (RFC 8410, section 7).
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

const keyOfSeed = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })

const keyOfJwk = ({ kty, crv, x, d }: SigningJwk) => createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })

function publicJwk(privateKey: KeyObject, kid?: string): PublicJwk {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const thumbprint = sha256(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url')
  return { kty: 'OKP', crv: 'Ed25519', x, kid: kid ?? thumbprint, use: 'sig', alg: 'EdDSA' }
}

/** Creates the keyring. Default for signing keys: one derived from each secret. */
export function createKeyring(
  secrets: readonly [string, ...string[]],
  signingKeys: readonly SigningJwk[] = [],
): Keyring {
  const signers = (
    signingKeys.length > 0
      ? signingKeys.map((jwk) => ({ key: keyOfJwk(jwk), kid: jwk.kid }))
      : secrets.map((secret) => ({ key: keyOfSeed(deriveKey(secret, 'signing')), kid: undefined }))
  ).map(({ key, kid }) => ({ key, jwk: publicJwk(key, kid) }))

  const purposes = new Map<string, readonly [SharedKey, ...SharedKey[]]>()
  const [first] = signers
  if (!first) throw new TypeError('a keyring needs a secret or a signing key')

  return {
    shared(purpose) {
      const known = purposes.get(purpose)
      if (known) return known
      const derive = (secret: string): SharedKey => {
        const key = deriveKey(secret, purpose)
        return { key, kid: sha256(key, 'base64url').slice(0, 16) }
      }
      const [head, ...tail] = secrets
      const keys: [SharedKey, ...SharedKey[]] = [derive(head), ...tail.map(derive)]
      purposes.set(purpose, keys)
      return keys
    },
    purposeKeys(purpose) {
      const derive = (secret: string): PurposeKey => {
        const key = keyOfSeed(deriveKey(secret, purpose))
        return { jwk: publicJwk(key), sign: (bytes) => sign(null, bytes, key) }
      }
      const [head, ...tail] = secrets
      return [derive(head), ...tail.map(derive)]
    },
    sign: (payload, type, did) =>
      new CompactSign(new TextEncoder().encode(canonicalJson(payload)))
        .setProtectedHeader({
          alg: 'EdDSA',
          kid: did === undefined ? first.jwk.kid : `${did}#${first.jwk.kid}`,
          typ: type,
        })
        .sign(first.key),
    signText: (text) => sign(null, Buffer.from(text), first.key).toString('base64url'),
    isOwnSignature: (text, signature) =>
      signers.some(({ key }) =>
        verify(null, Buffer.from(text), createPublicKey(key), Buffer.from(signature, 'base64url')),
      ),
    publicKeys: signers.map(({ jwk }) => jwk),
  }
}
