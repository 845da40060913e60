import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** The keys of a rail for cards. The first secret signs and encrypts; all of them verify and decrypt. */
export interface CardKeys {
  readonly sign: (text: string) => string
  readonly isSigned: (text: string, signature: string) => boolean
  /** Derives an unguessable name from a text, always the same. */
  readonly name: (text: string) => string
  readonly seal: (text: string) => string
  /** Decrypts a text. Undefined when it was encrypted with another key. */
  readonly open: (sealed: string) => string | undefined
}

const MIN_SECRET = 32
const NONCE = 12
const TAG = 16

const mac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url')

const same = (left: string, right: string) => {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** What keys are derived for: two owners with the same secret have different keys. */
export interface CardKeyOwner {
  /** In messages about the secret: `card rail`. */
  readonly name: string
  /** Never changes: what was signed and sealed before depends on it. */
  readonly salt: string
}

/**
 * Derives the keys of a rail for cards from its secrets.
 *
 * @throws Error without a secret, and for one that is too short
 */
export function cardKeys(secret: string | readonly string[], { name, salt }: CardKeyOwner): CardKeys {
  const secrets = [secret].flat()
  if (secrets.length === 0 || secrets.some((one) => one.length < MIN_SECRET)) {
    throw new Error(`${name}: secret must have at least ${MIN_SECRET} characters`)
  }
  const derive = (one: string, purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', one, salt, purpose, 32)))
  const keysFor = (purpose: string) => secrets.map((one) => derive(one, purpose)) as [KeyObject, ...KeyObject[]]
  const [signing, sealing, naming] = [keysFor('challenge'), keysFor('token'), keysFor('payer')]

  function openWith(key: KeyObject, bytes: Buffer): string | undefined {
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE)).setAuthTag(
        bytes.subarray(NONCE, NONCE + TAG),
      )
      return Buffer.concat([cipher.update(bytes.subarray(NONCE + TAG)), cipher.final()]).toString('utf8')
    } catch {
      return undefined
    }
  }

  return {
    sign: (text) => mac(signing[0], text),
    isSigned: (text, signature) => signing.some((key) => same(mac(key, text), signature)),
    name: (text) => mac(naming[0], text).slice(0, 22),
    seal(text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', sealing[0], nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open: (sealed) =>
      sealing.map((key) => openWith(key, Buffer.from(sealed, 'base64url'))).find((text) => text !== undefined),
  }
}
