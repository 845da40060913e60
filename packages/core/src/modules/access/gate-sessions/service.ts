import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import type { GateService } from '../gates/index.ts'
import { type Credentials, type GateSession, type GateSessions, MAX_SESSION_SECONDS } from '../paywall/index.ts'
import { gateSessionNotDue, gateSessionOver, invalidGateSession } from './errors.ts'
import { gateSessionRenewed, gateSessionsRevoked, type REVOCATION_REASONS } from './events.ts'

export interface GateSessionDeps extends Pick<GuardedStorage<'gateSessions'>, 'write'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'byDid' | 'didOf' | 'requirePermission' | 'requirePermissionIn'>
  readonly gates: Pick<GateService, 'gateOrOpen'>
  readonly sessions: GateSessions
}

type Reason = (typeof REVOCATION_REASONS)[number]

/** Sessions that were revoked. */
export interface RevokedSessions {
  readonly agentDid: string
  /** The agent in the audit log, which does not name it. Undefined when the agent itself ended the sessions. */
  readonly agentDigest: string | undefined
  readonly publisherDid: string
  readonly reason: Reason
  readonly revokedAt: Date
}

export function createGateSessionService({ write, clock, profiles, gates, sessions }: GateSessionDeps) {
  /** The session of a signing agent, and the profile of its gate. */
  async function find(credentials: Credentials): Promise<{ session: GateSession; profile: Profile }> {
    const session = sessions.read(credentials.authorization)
    const { agent } = credentials
    if (!session || !agent?.verified || agent.did !== session.agent_did) throw invalidGateSession()
    const profile = await profiles.byDid(session.context_id)
    const gate = await gates.gateOrOpen(profile)
    if (!(await sessions.isValidAt(session, profile, gate))) throw invalidGateSession()
    return { session, profile }
  }

  async function revoke(
    profile: Profile,
    { agentDid, reason }: { readonly agentDid: string; readonly reason: Reason },
    caller?: Caller,
  ): Promise<RevokedSessions> {
    const revokedAt = clock()
    const agentDigest = caller && sessions.agentDigestOf(agentDid, profile)
    const named = agentDigest === undefined ? { agentDid, agentDigest: null } : { agentDid: null, agentDigest }
    await write(async (tx, emit) => {
      if (caller) await profiles.requirePermissionIn(tx, profile.id, caller, 'gates.edit')
      if (!(await tx.gateSessions.revoke({ profileId: profile.id, agentDid, revokedAt }))) throw profileNotFound()
      const origin = { profileId: profile.id, accountId: caller?.account.id }
      emit(gateSessionsRevoked, { ...named, reason }, origin)
    })
    return { agentDid, agentDigest, publisherDid: profiles.didOf(profile), reason, revokedAt }
  }

  return {
    /**
     * Renews the session of a signing agent from its `refresh_threshold` on, without its proofs.
     *
     * @throws `gate_session_invalid`, `gate_session_not_due`, `gate_session_over` a day after the session began
     */
    async renew(credentials: Credentials) {
      const { session, profile } = await find(credentials)
      const dueMs = session.refresh_threshold * 1_000 - clock().getTime()
      if (dueMs > 0) throw gateSessionNotDue({ retryAfterMs: dueMs })
      const renewed = sessions.renew(session)
      if (!renewed) throw gateSessionOver()
      const expiresAt = new Date(renewed.session.exp * 1_000)
      const sessionId = sessions.idOf(session)
      const claim = {
        scope: 'session-renewal',
        nonce: `${sessionId}:${sessions.periodOf(session)}`,
        expiresAt: new Date((session.iat + MAX_SESSION_SECONDS) * 1_000),
      }
      await write(async (tx, emit) => {
        // A token can be renewed any number of times, and must not fill the audit log of the profile.
        if (!(await tx.nonces.claim(claim))) return
        const data = { agentDid: session.agent_did, sessionId, expiresAt: expiresAt.toISOString() }
        emit(gateSessionRenewed, data, { profileId: profile.id })
      })
      return { ...renewed, expiresAt }
    },

    /**
     * Ends the sessions of a signing agent at the gate of its session.
     *
     * @throws `gate_session_invalid`
     */
    async end(credentials: Credentials): Promise<RevokedSessions> {
      const { session, profile } = await find(credentials)
      return revoke(profile, { agentDid: session.agent_did, reason: 'operator_request' })
    },

    /**
     * Revokes the sessions of an agent at a gate, for those who may change the gate. The agent can verify proofs again.
     *
     * @throws `not_profile_owner`, `profile_not_found`
     */
    async revoke(did: string, agentDid: string, reason: Reason, caller: Caller): Promise<RevokedSessions> {
      const profile = await profiles.byDid(did, caller)
      await profiles.requirePermission(profile, caller, 'gates.edit')
      return revoke(profile, { agentDid, reason }, caller)
    },
  }
}

/** Renewal and revocation of the sessions of agents at gates. */
export type GateSessionService = ReturnType<typeof createGateSessionService>
