import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** Secrets of a new service. */
export interface Secrets {
  /** 48 random bytes as base64url, for `EEP_SECRET`. */
  readonly secret: string
  /** An Ed25519 key as a JSON Web Key, for `EEP_SIGNING_KEY`. */
  readonly signingKey: string
}

/** Generates secrets for one service. */
export const newSecrets = (): Secrets => ({
  secret: randomBytes(48).toString('base64url'),
  signingKey: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
})
