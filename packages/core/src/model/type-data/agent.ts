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
})
