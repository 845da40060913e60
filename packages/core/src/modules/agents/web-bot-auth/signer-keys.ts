import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import type { SignatureVerifier } from '../../../ports/signature-toolkit.ts'

/** How a key set names its keys: by the thumbprint, also in a `kid` if there is one, or by a label that its operator chooses. */
export type KeyNames = 'directory' | 'thumbprint' | 'label'

/** A key of a signer. */
export interface SignerKey {
  /** The thumbprint (RFC 7638), or the label. */
  readonly keyId: string
  readonly verifier: SignatureVerifier
  /** In milliseconds. */
  readonly notBefore: number
  readonly notAfter: number
}

const MAX_KEYS = 20
const MIN_RSA_BITS = 2_048
const MAX_RSA_BITS = 4_096
/** A larger exponent makes each verification expensive. */
const MAX_EXPONENT = 0xffff_ffffn
const SALT_BYTES = 64

const text = z.string().max(2_048)
const common = {
  kid: text.optional(),
  use: text.optional(),
  alg: text.optional(),
  key_ops: z.array(text).max(10).optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
}
const jwk = z.discriminatedUnion('kty', [
  z.looseObject({ ...common, kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: text }),
  z.looseObject({ ...common, kty: z.literal('RSA'), n: text, e: text }),
])
type Jwk = z.infer<typeof jwk>

const keySet = z.looseObject({ keys: z.array(z.unknown()).max(MAX_KEYS) })

/** The members of a private or a symmetric key: a set that publishes them is not to be trusted with it. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const ALGORITHMS = {
  OKP: ['EdDSA', 'Ed25519', 'ed25519'],
  RSA: ['PS512', 'rsa-pss-sha512'],
} as const

/** Keys of examples, whose private halves everyone knows: `test-key-ed25519` and `test-key-rsa-pss` of RFC 9421, which the draft uses. */
const PUBLISHED_KEYS: ReadonlySet<string> = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
])

/**
 * The SHA-256 thumbprint of a public key (RFC 7638).
 * @internal
 */
export const thumbprintOf = (key: Readonly<Record<string, unknown>>): string =>
  sha256(
    canonicalJson(key.kty === 'RSA' ? { e: key.e, kty: key.kty, n: key.n } : { crv: key.crv, kty: key.kty, x: key.x }),
    'base64url',
  )

/** Operators write times in seconds, as the draft does, or in milliseconds. */
const timeOf = (value: number): number => (value > 100_000_000_000 ? value : value * 1_000)

function isSigningKey(key: Jwk): boolean {
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(key, member))) return false
  if (key.use !== undefined && key.use !== 'sig') return false
  if (key.key_ops !== undefined && !key.key_ops.includes('verify')) return false
  const algorithms: readonly string[] = ALGORITHMS[key.kty]
  return key.alg === undefined || algorithms.includes(key.alg)
}

function publicKeyOf(key: Jwk): KeyObject | undefined {
  try {
    const { kty } = key
    return createPublicKey({
      key: kty === 'RSA' ? { kty, n: key.n, e: key.e } : { kty, crv: key.crv, x: key.x },
      format: 'jwk',
    })
  } catch {
    return undefined
  }
}

function verifierOf(key: KeyObject): SignatureVerifier | undefined {
  if (key.asymmetricKeyType === 'ed25519') {
    return { algorithm: 'ed25519', verify: (base, signature) => verify(null, base, key, signature) }
  }
  const { modulusLength = 0, publicExponent = MAX_EXPONENT } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS || publicExponent >= MAX_EXPONENT) return undefined
  const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: SALT_BYTES }
  return { algorithm: 'rsa-pss-sha512', verify: (base, signature) => verify('sha512', base, options, signature) }
}

function readKey(value: unknown, names: KeyNames, acceptsPublishedKeys: boolean): SignerKey | undefined {
  const { success, data: key } = jwk.safeParse(value)
  if (!success || !isSigningKey(key)) return undefined
  const thumbprint = thumbprintOf(key)
  if (!acceptsPublishedKeys && PUBLISHED_KEYS.has(thumbprint)) return undefined
  if (names === 'directory' && key.kid !== undefined && key.kid !== thumbprint) return undefined
  const keyId = names === 'label' ? key.kid : thumbprint
  const publicKey = keyId === undefined ? undefined : publicKeyOf(key)
  const verifier = publicKey && verifierOf(publicKey)
  if (keyId === undefined || !verifier) return undefined
  return {
    keyId,
    verifier,
    notBefore: key.nbf === undefined ? Number.NEGATIVE_INFINITY : timeOf(key.nbf),
    notAfter: key.exp === undefined ? Number.POSITIVE_INFINITY : timeOf(key.exp),
  }
}

/**
 * Reads a JSON Web Key Set of a signer: at most 20 keys, Ed25519 or RSA of 2,048 to 4,096 bits. Keys that cannot be used are left
 * out. Undefined when it is not a key set.
 *
 * @param acceptsPublishedKeys - whether the example keys of RFC 9421, whose private halves are published, are accepted
 */
export function readSignerKeys(
  body: string,
  names: KeyNames,
  acceptsPublishedKeys: boolean,
): ReadonlyMap<string, SignerKey> | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  const set = keySet.safeParse(value)
  if (!set.success) return undefined
  const keys = set.data.keys.flatMap((key) => readKey(key, names, acceptsPublishedKeys) ?? [])
  return new Map(keys.map((key) => [key.keyId, key]))
}
