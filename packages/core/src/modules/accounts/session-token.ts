import { createSecretKey, randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { invalidToken, TOKEN_REFUSED } from './errors.ts'
import type { Account } from './store.ts'

export const SESSION_SECONDS = 7 * 24 * 60 * 60

const ALGORITHM = 'HS256'
const TYPE = 'JWT'

/** A token and when it ends. */
export interface SessionToken {
  readonly token: string
  readonly expiresAt: Date
}

/** What a good token says. */
export interface SessionClaims {
  readonly accountId: string
  readonly tokenVersion: number
}

export interface SessionTokenOptions {
  readonly keyring: Keyring
  readonly clock: Clock
  /** Issuer and audience of the tokens. */
  readonly publicUrl: string
}

/** Signed session tokens (JWT, RFC 7519). Algorithm, type and keys are ours to choose: nothing of it is taken from a token. */
export function createSessionTokens({ keyring, clock, publicUrl }: SessionTokenOptions) {
  const shared = keyring.shared('session')
  const keys = new Map(shared.map(({ kid, key }) => [kid, createSecretKey(key)]))
  const [{ kid: signingKid, key: signingKey }] = shared

  const keyOf = ({ kid }: { readonly kid?: string | undefined }) => {
    const key = kid === undefined ? undefined : keys.get(kid)
    if (!key) throw invalidToken(TOKEN_REFUSED)
    return key
  }

  return {
    async issue({ id, tokenVersion }: Pick<Account, 'id' | 'tokenVersion'>): Promise<SessionToken> {
      const issuedAt = Math.floor(clock().getTime() / 1000)
      const expires = issuedAt + SESSION_SECONDS
      const token = await new SignJWT({ ver: tokenVersion })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: signingKid })
        .setSubject(id)
        .setJti(randomUUID())
        .setIssuer(publicUrl)
        .setAudience(publicUrl)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expires)
        .sign(signingKey)
      return { token, expiresAt: new Date(expires * 1000) }
    },

    /** Reads a token. Throws `invalid_token` when it is not one of ours, was changed, or is over. */
    async read(token: string): Promise<SessionClaims> {
      try {
        const { payload } = await jwtVerify(token, keyOf, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: publicUrl,
          audience: publicUrl,
          requiredClaims: ['sub', 'iat', 'exp', 'jti', 'ver'],
          currentDate: clock(),
        })
        return claimsOf(payload)
      } catch (error) {
        if (error instanceof errors.JOSEError) throw invalidToken({ ...TOKEN_REFUSED, cause: error })
        throw error
      }
    },
  }
}

function claimsOf({ sub, ver }: JWTPayload): SessionClaims {
  if (typeof sub !== 'string' || typeof ver !== 'number') throw invalidToken(TOKEN_REFUSED)
  return { accountId: sub, tokenVersion: ver }
}
