import { z } from 'zod'
import { line } from '../../kernel/text-fields.ts'
import { webUrl } from '../profile-values.ts'

export const agentData = z.strictObject({
  provider: line(128).optional(),
  model: line(128).optional(),
  endpoint: webUrl.optional(),
  protocols: z.array(line(64)).max(20).optional(),
  operator_did: z
    .string()
    .max(512)
    .regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%/#?-]+$/, 'A DID')
    .optional(),
  /** Where the agent is registered on chains, as its owner states it (ERC-8004). Nothing checks it. */
  registrations: z
    .array(
      z.strictObject({
        agentId: z.int().min(0),
        agentRegistry: z.string().regex(/^eip155:[1-9]\d{0,19}:0x[0-9a-fA-F]{40}$/, 'Must be like eip155:1:0x…'),
      }),
    )
    .max(10)
    .optional(),
})
