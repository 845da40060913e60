import { createHmac, randomBytes } from 'node:crypto'
import type { Keyring } from '../../../kernel/keyring.ts'

const PREFIX = 'whsec_'

/** Creates a secret of 32 random bytes in the format of Standard Webhooks. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`

const decodeKey = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64')

const mac = (key: string | Uint8Array, content: string) => createHmac('sha256', key).update(content).digest('base64')

/** The content that is signed: the values of two headers and the body as it is sent. */
export interface SignedDelivery {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Builds the header `webhook-signature` of one attempt. Each secret signs twice as `v1`: with its bytes, as receivers of
 * Standard Webhooks check, and with its text, as those of EEP do. `v1a` is Ed25519, with a key of the JWKS.
 *
 * @param secrets - the current one, and the previous one while it is still accepted
 */
export function signDelivery(
  { id, timestamp, body }: SignedDelivery,
  secrets: readonly string[],
  keyring: Pick<Keyring, 'signText' | 'publicKeys'>,
): string {
  const content = `${id}.${timestamp}.${body}`
  const kid = keyring.publicKeys[0]?.kid ?? ''
  const ed25519 = Buffer.from(keyring.signText(content), 'base64url').toString('base64')
  return [
    ...secrets.map((secret) => `v1,${mac(decodeKey(secret), content)}`),
    ...secrets.map((secret) => `v1,${mac(secret, content)}`),
    `v1a,${kid}:${ed25519}`,
  ].join(' ')
}
