import { decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../../../../kernel/clock.ts'
import { sha256 } from '../../../../kernel/digest.ts'
import type { EepError } from '../../../../kernel/errors.ts'
import type { Write } from '../../../../runtime/storage/guard.ts'
import { oauthError } from '../oauth-error.ts'
import type { App } from './app.ts'
import type { AppKeys } from './app-keys.ts'

/** The signature algorithms of assertions. */
export const ASSERTION_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const

/** How far the clocks of apps and instances may differ. */
const TOLERANCE_SECONDS = 5
const MAX_LIFETIME_SECONDS = 600
const MAX_LENGTH = 8_192
const MAX_JTI = 255

const refused = (reason: string): EepError => oauthError('invalid_client', `The client assertion is refused: ${reason}`)

/** The app that an assertion names, before it is verified. */
export function subjectOf(assertion: string): string | undefined {
  try {
    return assertion.length <= MAX_LENGTH ? decodeJwt(assertion).sub : undefined
  } catch {
    return undefined
  }
}

export interface AssertionDeps {
  readonly keys: AppKeys
  readonly write: Write
  readonly clock: Clock
  /** What `aud` may be: the issuer, and the address of the token endpoint. */
  readonly audiences: readonly string[]
}

/** Creates the function that verifies assertions of `private_key_jwt` (RFC 7523, OpenID Connect Core 9). */
export function createAssertionVerifier({ keys, write, clock, audiences }: AssertionDeps) {
  async function verified(assertion: string, app: App): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(assertion, keys.keysOf(app), {
        algorithms: [...ASSERTION_ALGORITHMS],
        issuer: app.clientId,
        subject: app.clientId,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: clock(),
        requiredClaims: ['aud', 'exp', 'jti'],
      })
      return payload
    } catch (error) {
      throw refused(error instanceof Error ? error.message : 'it cannot be read')
    }
  }

  /**
   * Verifies that an app signed an assertion for this service, and claims it, so that it is accepted once.
   *
   * @throws `invalid_client` with the reason
   */
  return async (assertion: string, app: App): Promise<void> => {
    if (assertion.length > MAX_LENGTH) throw refused('it is longer than 8192 characters')
    const { aud, exp = 0, jti = '' } = await verified(assertion, app)
    // With several audiences, another one of them could use the assertion here.
    if (typeof aud !== 'string' || !audiences.includes(aud)) throw refused('aud must be the issuer')
    const latest = clock().getTime() / 1_000 + MAX_LIFETIME_SECONDS + TOLERANCE_SECONDS
    if (exp > latest) throw refused('exp is more than 10 minutes away')
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI)
      throw refused('jti must have 1 to 255 characters')
    const isNew = await write((tx) =>
      tx.nonces.claim({
        scope: `oauth-assertion:${sha256(app.clientId).slice(0, 32)}`,
        nonce: sha256(jti),
        expiresAt: new Date((exp + 2 * TOLERANCE_SECONDS) * 1_000),
      }),
    )
    if (!isNew) throw refused('its jti was used before')
  }
}

/** Verifies an assertion of an app. */
export type VerifyAssertion = ReturnType<typeof createAssertionVerifier>
