import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { PUBLIC_URL } from './app.ts'

/** The options of `POST /auth/passkeys/registration/options`. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

/** The options of `POST /auth/passkeys/options`. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** How a ceremony differs from an honest one. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly signCount?: number
  readonly userVerified?: boolean
  readonly credentialId?: string
  readonly userHandle?: string
  readonly signature?: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40
const BACKED_UP = 0x08 | 0x10

const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest()
const bigEndian = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

// The CBOR (RFC 8949) that the two structures of WebAuthn need.
const cborText = (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])
const cborBytes = (bytes: Uint8Array) => Buffer.concat([Buffer.of(0x59), bigEndian(bytes.length, 2), bytes])

export interface AuthenticatorOptions {
  /** Whether it counts its uses; devices that copy passkeys do not. Default: true. */
  readonly counts?: boolean
  readonly isBackedUp?: boolean
}

/** A device with one passkey: what a browser and a security key do together (WebAuthn), in software. */
export function createAuthenticator({ counts = true, isBackedUp = false }: AuthenticatorOptions = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let uses = 0
  let userHandle: string | undefined

  const clientData = (type: string, challenge: string, by: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: by.type ?? type,
        challenge: by.challenge ?? challenge,
        origin: by.origin ?? PUBLIC_URL,
        crossOrigin: by.crossOrigin ?? false,
      }),
    )

  const authenticatorData = (rpId: string, flags: number, by: Deviation, credential: Uint8Array = Buffer.of()) => {
    if (counts) uses += 1
    const verified = by.userVerified === false ? 0 : USER_VERIFIED
    return Buffer.concat([
      sha256(by.rpId ?? rpId),
      Buffer.of(USER_PRESENT | verified | (isBackedUp ? BACKED_UP : 0) | flags),
      bigEndian(by.signCount ?? uses, 4),
      credential,
    ])
  }

  /** The public key as COSE (RFC 9053): ES256 on P-256. */
  function coseKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const coordinate = (label: number, value: string) =>
      Buffer.concat([Buffer.of(label, 0x58, 0x20), Buffer.from(value, 'base64url')])
    return Buffer.concat([Buffer.of(0xa5, 1, 2, 3, 0x26, 0x20, 1), coordinate(0x21, x), coordinate(0x22, y)])
  }

  return {
    id: encoded(id),

    /** Creates the passkey. */
    create({ challenge, rp, user }: CreationOptions, by: Deviation = {}) {
      userHandle = user.id
      const credential = Buffer.concat([Buffer.alloc(16), bigEndian(id.length, 2), id, coseKey()])
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.of(0xa0),
        cborText('authData'),
        cborBytes(authenticatorData(rp.id, HAS_CREDENTIAL, by, credential)),
      ])
      return {
        id: by.credentialId ?? encoded(id),
        rawId: by.credentialId ?? encoded(id),
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: encoded(clientData('webauthn.create', challenge, by)),
          attestationObject: encoded(attestation),
          transports: ['internal', 'hybrid'],
        },
      }
    },

    /** Uses the passkey. */
    use({ challenge, rpId }: RequestOptions, by: Deviation = {}) {
      const data = authenticatorData(rpId, 0, by)
      const client = clientData('webauthn.get', challenge, by)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id: by.credentialId ?? encoded(id),
        rawId: by.credentialId ?? encoded(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: encoded(client),
          authenticatorData: encoded(data),
          signature: by.signature ?? encoded(signature),
          userHandle: by.userHandle ?? userHandle ?? null,
        },
      }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
