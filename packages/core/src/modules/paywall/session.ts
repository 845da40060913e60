import { z } from 'zod'
import { canonicalJson } from '../../kernel/digest.ts'
import type { Keyring } from '../../kernel/keyring.ts'

const did = z.string().regex(/^did:[a-z0-9]+:.+$/)

const sessionClaims = z.strictObject({
  agent_did: did,
  issuer_did: did,
  tiers: z.array(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/)).min(1),
  iat: z.int(),
  exp: z.int(),
  refresh_threshold: z.int(),
  /** The entity for whose gate it is valid. */
  context_id: z.string().max(256),
  /** The version of the gate it was given at; a changed gate invalidates it. */
  gate_version: z.string().max(64),
})

/** A session with the proofs of an agent at a gate (EEP v0.1, `session.token.json`). */
export type GateSession = z.infer<typeof sessionClaims>

/** A session as the agent gets it. */
export const sessionSchema = sessionClaims

const signed = sessionClaims.extend({ signature: z.string().min(16).max(128) })

const LIFE_SECONDS = 3_600

/** A session for an hour, to be renewed in its last tenth. */
export function newSession(
  claims: {
    readonly agentDid: string
    readonly issuerDid: string
    readonly entityDid: string
    readonly tier: string
    readonly gateVersion: string
  },
  now: Date,
): GateSession {
  const iat = Math.floor(now.getTime() / 1000)
  return {
    agent_did: claims.agentDid,
    issuer_did: claims.issuerDid,
    tiers: [claims.tier],
    iat,
    exp: iat + LIFE_SECONDS,
    refresh_threshold: iat + LIFE_SECONDS * 0.9,
    context_id: claims.entityDid,
    gate_version: claims.gateVersion,
  }
}

/** The token as an agent sends it: `Authorization: EEP-Session <token>`. */
export function writeSession(session: GateSession, keyring: Pick<Keyring, 'signText'>): string {
  const signature = keyring.signText(canonicalJson(session))
  return Buffer.from(JSON.stringify({ ...session, signature })).toString('base64url')
}

const MAX_TOKEN = 8_192

/** The session in an `Authorization` header. Undefined for foreign, invalid and expired ones. */
export function readSession(
  authorization: string | undefined,
  now: Date,
  keyring: Pick<Keyring, 'isOwnSignature'>,
): GateSession | undefined {
  const token = /^EEP-Session +([A-Za-z0-9_-]+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined || token.length > MAX_TOKEN) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  const session = signed.safeParse(parsed)
  if (!session.success) return undefined
  const { signature, ...claims } = session.data
  if (claims.exp * 1000 <= now.getTime()) return undefined
  return keyring.isOwnSignature(canonicalJson(claims), signature) ? claims : undefined
}
