import { z } from 'zod'
import { sessionSchema } from '../paywall/index.ts'
import { REVOCATION_REASONS } from './events.ts'

const agentDid = z
  .string()
  .max(512)
  .regex(/^did:[a-z0-9]+:.+$/, 'Write a DID')

export const renewedSchema = z
  .object({
    session_token: z.string().meta({ description: 'For `Authorization: EEP-Session <token>`' }),
    session: sessionSchema,
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'RenewedGateSession' })

export const revocationBody = z.strictObject({
  agent_did: agentDid,
  reason: z.enum(REVOCATION_REASONS).default('operator_request'),
})

export const revocationSchema = z
  .object({
    agent_did: z.string(),
    agent_digest: z.string().optional().meta({
      description: 'The agent in `metadata` of the entry in the audit log; absent when the agent ended its sessions',
    }),
    publisher_did: z.string().meta({ description: 'The entity at whose gate the sessions ended' }),
    reason: z.enum(REVOCATION_REASONS),
    revoked_at: z.iso.datetime(),
    re_auth_required: z.literal(true),
  })
  .meta({ id: 'GateSessionRevocation' })
