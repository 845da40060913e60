import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { canonicalJson, hmac } from '../../../../kernel/digest.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'

const did = z.string().regex(/^did:[a-z0-9]+:.+$/)

const sessionClaims = z.strictObject({
  agent_did: did,
  issuer_did: did,
  tiers: z.array(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/)).min(1),
  /** When it began: renewals keep it. */
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
/** How long after it was issued or renewed a session can be renewed. */
const DUE_SECONDS = LIFE_SECONDS * 0.9
/** How long an agent can renew a session before it must verify its proofs again. */
export const MAX_SESSION_SECONDS = 24 * LIFE_SECONDS
const MAX_TOKEN = 8_192

/** What a session is issued for. */
export interface SessionGrant {
  readonly agentDid: string
  readonly profile: Profile
  readonly tier: string
  readonly gate: Pick<Gate, 'version'>
}

/** A session, and the token that an agent sends: `Authorization: EEP-Session <token>`. */
export interface IssuedSession {
  readonly session: GateSession
  readonly token: string
}

export interface GateSessionsDeps {
  readonly read: Pick<Readers, 'gateSessions'>
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'shared' | 'signText' | 'isOwnSignature'>
  readonly serviceDid: string
  readonly didOf: (profile: Profile) => string
}

/** Issues and reads the sessions of agents. They are signed and not stored; only revocations are. */
export function createGateSessions({ read, clock, keyring, serviceDid, didOf }: GateSessionsDeps) {
  const [{ key: idKey }] = keyring.shared('session-ids')
  const [{ key: agentKey }] = keyring.shared('session-agents')

  function sign(session: GateSession): IssuedSession {
    const signature = keyring.signText(canonicalJson(session))
    return { session, token: Buffer.from(JSON.stringify({ ...session, signature })).toString('base64url') }
  }

  const revokedAt = async (profileId: number, agentDid: string): Promise<Date | undefined> =>
    read.gateSessions?.getRevokedAt(profileId, agentDid)

  return {
    /** Issues a session for an hour, to be renewed in its last tenth. */
    async issue({ agentDid, profile, tier, gate }: SessionGrant): Promise<IssuedSession> {
      const revoked = await revokedAt(profile.id, agentDid)
      const now = Math.floor(clock().getTime() / 1_000)
      // Times of sessions are whole seconds. A new session begins after the revocation of earlier ones.
      const iat = revoked === undefined ? now : Math.max(now, Math.floor(revoked.getTime() / 1_000) + 1)
      return sign({
        agent_did: agentDid,
        issuer_did: serviceDid,
        tiers: [tier],
        iat,
        exp: iat + LIFE_SECONDS,
        refresh_threshold: iat + DUE_SECONDS,
        context_id: didOf(profile),
        gate_version: `${gate.version}`,
      })
    },

    /** Renews a session for an hour, and at most until a day after it began; undefined when that time is over. */
    renew(session: GateSession): IssuedSession | undefined {
      const now = Math.floor(clock().getTime() / 1_000)
      const exp = Math.min(now + LIFE_SECONDS, session.iat + MAX_SESSION_SECONDS)
      if (exp <= session.exp) return undefined
      const refresh_threshold = Math.floor(now + (exp - now) * 0.9)
      return sign({ ...session, exp, refresh_threshold })
    },

    /**
     * The number of the period of a session in which its token ends. Tokens that were renewed from the same one share it, and
     * each renewal of an agent that renews when it is due has another.
     */
    periodOf: ({ iat, exp }: GateSession): number => Math.floor((exp - iat) / DUE_SECONDS),

    /** The session in an `Authorization` header. Undefined for foreign, invalid and expired ones. */
    read(authorization: string | undefined): GateSession | undefined {
      const token = /^EEP-Session +([A-Za-z0-9_-]+)$/i.exec(authorization ?? '')?.[1]
      if (token === undefined || token.length > MAX_TOKEN) return undefined
      let parsed: unknown
      try {
        parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
      } catch {
        return undefined
      }
      const result = signed.safeParse(parsed)
      if (!result.success) return undefined
      const { signature, ...session } = result.data
      if (session.exp * 1_000 <= clock().getTime()) return undefined
      return keyring.isOwnSignature(canonicalJson(session), signature) ? session : undefined
    },

    /** Whether a session is for the current gate of a profile and was not revoked. */
    async isValidAt(session: GateSession, profile: Profile, gate: Pick<Gate, 'version'>): Promise<boolean> {
      if (session.context_id !== didOf(profile) || session.gate_version !== `${gate.version}`) return false
      const revoked = await revokedAt(profile.id, session.agent_did)
      return revoked === undefined || session.iat * 1_000 > revoked.getTime()
    },

    /**
     * The id of a session in the audit log. It stays the same when the session is renewed. It is keyed, so that a DID which
     * was erased cannot be confirmed by trying the times at which the session may have begun.
     */
    idOf: ({ agent_did, context_id, gate_version, tiers, iat }: GateSession): string =>
      hmac(idKey, canonicalJson({ agent_did, context_id, gate_version, tiers, iat }), 'hex'),

    /**
     * The digest of an agent in the records of a profile about it that cannot be changed. It does not reveal the DID, and differs
     * between profiles.
     */
    agentDigestOf: (agentDid: string, { id }: Pick<Profile, 'id'>): string =>
      hmac(agentKey, `${id} ${agentDid}`, 'hex'),
  }
}

/** The sessions of agents. */
export type GateSessions = ReturnType<typeof createGateSessions>
