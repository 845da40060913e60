import { createSecretKey, randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../../kernel/clock.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { SessionUse, StoredSession } from '../../../ports/storage/sessions.ts'
import { invalidToken, TOKEN_REFUSED } from './errors.ts'

export const SESSION_SECONDS = 7 * 24 * 60 * 60

const secondOf = (at: Date) => Math.floor(at.getTime() / 1000)

/** The expiry of a session that starts at `begin`, rounded to whole seconds as in tokens. */
export const sessionEnd = (begin: Date): Date => new Date((secondOf(begin) + SESSION_SECONDS) * 1000)

/** How many verified tokens are kept: to verify one costs about 50 microseconds of processor time. */
const MAX_KEPT = 1_000

const ALGORITHM = 'HS256'
const TYPE = 'JWT'

/** The tokens of a session and their expiry. */
export interface SessionTokens {
  /** The value of the session cookie. It is not accepted as bearer token. */
  readonly cookie: string
  /** The bearer token. It is not valid for a sign-in of a browser, whose session has a cookie only. */
  readonly token: string
  readonly expiresAt: Date
}

/** The claims of a valid token. */
export interface SessionClaims {
  readonly sessionId: string
  readonly accountId: string
  readonly tokenVersion: number
  readonly use: SessionUse
}

export interface SessionTokenOptions {
  readonly keyring: Keyring
  readonly clock: Clock
  /** Issuer and audience of the tokens. */
  readonly publicUrl: string
}

/** Signed session tokens (JWT, RFC 7519). Algorithm, type and keys are fixed and never taken from a token. */
export function createSessionTokens({ keyring, clock, publicUrl }: SessionTokenOptions) {
  const shared = keyring.shared('session')
  const keys = new Map(shared.map(({ kid, key }) => [kid, createSecretKey(key)]))
  const [{ kid: signingKid, key: signingKey }] = shared

  const findKey = ({ kid }: { readonly kid?: string | undefined }) => {
    const key = kid === undefined ? undefined : keys.get(kid)
    if (!key) throw invalidToken(TOKEN_REFUSED)
    return key
  }

  /** Tokens whose signature was verified. The keys never change, so only the time can end their validity. */
  const verified = new Map<string, { readonly claims: SessionClaims; readonly expiresAt: number }>()

  function keep(token: string, claims: SessionClaims, expiresAt: number): void {
    const [oldest] = verified.size < MAX_KEPT ? [] : verified.keys()
    if (oldest !== undefined) verified.delete(oldest)
    verified.set(token, { claims, expiresAt })
  }

  async function verify(token: string): Promise<SessionClaims> {
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: publicUrl,
        audience: publicUrl,
        requiredClaims: ['sub', 'iat', 'exp', 'jti', 'ver'],
        currentDate: clock(),
      })
      const claims = claimsOf(payload)
      keep(token, claims, payload.exp ?? 0)
      return claims
    } catch (error) {
      if (error instanceof errors.JOSEError) throw invalidToken({ ...TOKEN_REFUSED, cause: error })
      throw error
    }
  }

  return {
    /** Signs the tokens of a session, one for each use. */
    async issue(
      { id, accountId, createdAt, expiresAt }: Pick<StoredSession, 'id' | 'accountId' | 'createdAt' | 'expiresAt'>,
      tokenVersion: number,
    ): Promise<SessionTokens> {
      const sign = (use: SessionUse) =>
        new SignJWT({ ver: tokenVersion, sid: id, use })
          .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: signingKid })
          .setSubject(accountId)
          .setJti(randomUUID())
          .setIssuer(publicUrl)
          .setAudience(publicUrl)
          .setIssuedAt(secondOf(createdAt))
          .setExpirationTime(secondOf(expiresAt))
          .sign(signingKey)
      const [cookie, token] = await Promise.all([sign('cookie'), sign('bearer')])
      return { cookie, token, expiresAt }
    },

    /** Reads a token. Throws `invalid_token` when it was not issued by this service, was changed, or has expired. */
    async read(token: string): Promise<SessionClaims> {
      const known = verified.get(token)
      if (known && secondOf(clock()) < known.expiresAt) return known.claims
      verified.delete(token)
      return verify(token)
    },
  }
}

function claimsOf({ sub, ver, sid, use }: JWTPayload): SessionClaims {
  const isKnown = use === 'cookie' || use === 'bearer'
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof ver !== 'number' || !isKnown) {
    throw invalidToken(TOKEN_REFUSED)
  }
  return { sessionId: sid, accountId: sub, tokenVersion: ver, use }
}
