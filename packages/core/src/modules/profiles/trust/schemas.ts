import { z } from 'zod'
import { LEVELS, type Level, PROFILE_WEIGHTS, type ProfileSignal } from '../../../model/trust-score.ts'

const score = z.int().min(0).max(100)

export const trustSchema = z
  .object({
    score,
    level: z.enum(Object.keys(LEVELS) as [Level, ...Level[]]),
    signals: z.array(
      z.object({
        signal: z.enum(Object.keys(PROFILE_WEIGHTS) as [ProfileSignal, ...ProfileSignal[]]),
        weight: score,
        met: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Trust' })

/** An invalid DID is reported in the format of EEP, not as an invalid query. */
const agentDid = z
  .string()
  .max(2048)
  .default('')
  .meta({ examples: ['did:web:agent.example'] })

export const trustStatusQuery = z.object({ agent_did: agentDid })
export const graduateBody = z.strictObject({ agent_did: agentDid })

const state = z.enum(['cold_start', 'standard']).describe('`standard` once it has paid in a request that it signed')
export const trustStatus = z.object({ agent_did: z.string(), trust_state: state }).meta({ id: 'TrustStatus' })
export const graduated = z
  .object({ ok: z.literal(true), agent_did: z.string(), trust_state: z.literal('standard') })
  .meta({ id: 'AgentGraduation' })
