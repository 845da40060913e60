import { createSecretKey } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { StoredSession } from '../../ports/storage/sessions.ts'
import { invalidToken, TOKEN_REFUSED } from './errors.ts'

export const SESSION_SECONDS = 7 * 24 * 60 * 60

const secondOf = (at: Date) => Math.floor(at.getTime() / 1000)

/** The expiry of a session that starts at `begin`, rounded to whole seconds as in tokens. */
export const sessionEnd = (begin: Date): Date => new Date((secondOf(begin) + SESSION_SECONDS) * 1000)

/** How many verified tokens are kept: to verify one costs about 50 microseconds of processor time. */
const MAX_KEPT = 1_000

const ALGORITHM = 'HS256'
const TYPE = 'JWT'

/** A token and its expiry. */
export interface SessionToken {
  readonly token: string
  readonly expiresAt: Date
}

/** The claims of a valid token. */
export interface SessionClaims {
  readonly sessionId: string
  readonly accountId: string
  readonly tokenVersion: number
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

  const keyOf = ({ kid }: { readonly kid?: string | undefined }) => {
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
      const { payload } = await jwtVerify(token, keyOf, {
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
    /** Signs the token of a session. Its `jti` is the id of the session. */
    async issue(
      { id, accountId, createdAt, expiresAt }: Pick<StoredSession, 'id' | 'accountId' | 'createdAt' | 'expiresAt'>,
      tokenVersion: number,
    ): Promise<SessionToken> {
      const token = await new SignJWT({ ver: tokenVersion })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: signingKid })
        .setSubject(accountId)
        .setJti(id)
        .setIssuer(publicUrl)
        .setAudience(publicUrl)
        .setIssuedAt(secondOf(createdAt))
        .setExpirationTime(secondOf(expiresAt))
        .sign(signingKey)
      return { token, expiresAt }
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

function claimsOf({ sub, jti, ver }: JWTPayload): SessionClaims {
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof ver !== 'number') throw invalidToken(TOKEN_REFUSED)
  return { sessionId: jti, accountId: sub, tokenVersion: ver }
}
