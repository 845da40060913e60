import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Keyring } from '../../kernel/keyring.ts'

/** How long the challenge of a refusal is valid, as in the reference implementation of EEP. */
const CHALLENGE_SECONDS = 300
/** The characters of DIDs (DID Core 3.1), and short enough for a challenge of 512 characters, the limit of EEP. */
const DID = /^did:[a-z0-9]{1,32}:[A-Za-z0-9._:%-]{1,180}$/

export interface ReachedLimit {
  readonly limit: number
  /** The requests of this window, the refused one included. */
  readonly count: number
  readonly resetAtMs: number
  readonly retryAfterSeconds: number
}

/**
 * Returns what a 429 states for an agent that names itself (EEP v0.1, `gate.429-response`), or undefined when the request names
 * no agent, because the form requires a DID. The DID is unverified: signatures are checked after requests are counted.
 */
export function rateLimitTerms(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { limit, count, resetAtMs, retryAfterSeconds }: ReachedLimit,
  keyring: Pick<Keyring, 'signText'>,
): Readonly<Record<string, unknown>> | undefined {
  const named = headers['eep-agent-did'] ?? headers['x-eep-agent-did']
  const did = typeof named === 'string' ? named.trim() : ''
  if (!DID.test(did)) return undefined
  return {
    detail: `Retry after ${retryAfterSeconds} seconds`,
    did_rate_limit_key: did,
    retry_after_seconds: retryAfterSeconds,
    window_reset_at: new Date(resetAtMs).toISOString(),
    signed_challenge: signChallenge(did, keyring),
    limit_per_window: limit,
    requests_made: count,
  }
}

/** Signs who was refused, and until when this can be presented. Verifies with `/.well-known/jwks.json`. */
function signChallenge(did: string, keyring: Pick<Keyring, 'signText'>): string {
  const claims = {
    nonce: randomBytes(16).toString('base64url'),
    did,
    exp: Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS,
  }
  const text = `v1.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${text}.${keyring.signText(text)}`
}
