import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Keyring, PublicJwk } from '../../../kernel/keyring.ts'
import type { SignatureToolkit } from '../../../ports/signature-toolkit.ts'
import type { SignOutbound } from '../../../runtime/outbound/index.ts'

export interface OutboundSignerDeps {
  readonly toolkit: SignatureToolkit
  readonly keyring: Keyring
  readonly clock: Clock
  readonly publicUrl: string
}

const LABEL = 'sig1'
const LIFETIME_SECONDS = 60
const NONCE_BYTES = 64

/**
 * Signs the requests of the service, as a program of its origin, with a key that is used for nothing else.
 *
 * @throws TypeError when no directory at the origin of the public URL could have the keys
 */
export function createOutboundSigner({ toolkit, keyring, clock, publicUrl }: OutboundSignerDeps) {
  const { origin, protocol, pathname } = new URL(publicUrl)
  if (protocol !== 'https:' || pathname !== '/') {
    throw new TypeError(
      `webBotAuth({ signOutbound: true }) needs a publicUrl of https without a path, not ${publicUrl}`,
    )
  }
  const keys = keyring.purposeKeys('web-bot-auth')
  const [current] = keys
  const signatureAgent = `${LABEL}="${origin}"`

  const sign: SignOutbound = async ({ method, url }) => {
    const library = await toolkit.load()
    const created = Math.floor(clock().getTime() / 1_000)
    const signature = library.sign(
      { method, targetUri: url.href, fields: [{ name: 'signature-agent', value: signatureAgent }] },
      {
        label: LABEL,
        components: [
          { name: '@authority', parameters: {} },
          { name: 'signature-agent', parameters: { key: LABEL } },
        ],
        parameters: {
          created,
          expires: created + LIFETIME_SECONDS,
          keyid: current.jwk.kid,
          alg: 'ed25519',
          nonce: randomBytes(NONCE_BYTES).toString('base64url'),
          tag: 'web-bot-auth',
        },
        signer: { algorithm: 'ed25519', sign: current.sign },
      },
    )
    return { ...signature, 'signature-agent': signatureAgent }
  }

  return {
    sign,
    /** The keys to publish: the current one, and those of earlier secrets. */
    publicKeys: keys.map(({ jwk: { kty, crv, x, kid, use } }): Omit<PublicJwk, 'alg'> => ({ kty, crv, x, kid, use })),
  }
}
