import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** Why sessions were revoked, as EEP names it. */
export const REVOCATION_REASONS = [
  'agreement_violation',
  'payment_failed',
  'operator_request',
  'security_incident',
] as const

export const gateSessionRenewed = defineEvent('gates.session_renewed', {
  audience: 'team',
  subject: 'profile',
  data: z.object({
    agentDid: z.string(),
    sessionId: z.string(),
    /** ISO 8601. */
    expiresAt: z.string(),
  }),
  audit: {
    type: 'session.renewed',
    of: ({ agentDid, sessionId, expiresAt }) => ({
      actor: { kind: 'agent', did: agentDid },
      sessionTokenId: sessionId,
      metadata: { expires_at: expiresAt },
    }),
  },
  summary: 'An agent renewed its session at a gate',
})

export const gateSessionsRevoked = defineEvent('gates.sessions_revoked', {
  audience: 'team',
  subject: 'profile',
  data: z.object({
    /** The agent that ended its sessions; null when the team of the gate revoked them. */
    agentDid: z.string().nullable(),
    /** The agent whose sessions the team revoked; null when the agent ended them. Entries of audit logs must not name agents. */
    agentDigest: z.string().nullable(),
    reason: z.enum(REVOCATION_REASONS),
  }),
  audit: {
    type: 'session.revoked',
    of: ({ agentDid, agentDigest, reason }) => ({
      ...(agentDid !== null && { actor: { kind: 'agent', did: agentDid } }),
      metadata: { reason, by_agent: agentDid !== null, ...(agentDigest !== null && { agent_digest: agentDigest }) },
    }),
  },
  summary: 'The sessions of an agent at a gate were revoked',
})

export const gateSessionEvents = [gateSessionRenewed, gateSessionsRevoked] as const
