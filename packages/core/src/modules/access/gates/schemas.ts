import { z } from 'zod'
import { checkedGateConfig, gateConfigForm } from '../../../model/gate-config.ts'
import type { GateVersion, GateVersionSummary } from '../../../ports/storage/gates.ts'

export const gateVersionSummarySchema = z
  .object({
    version: z.int(),
    bytes: z.int().meta({ description: 'The size of the configuration as JSON' }),
    changed_by: z.string().nullable().meta({ description: 'The account that wrote it, while there is one' }),
    changed_at: z.string(),
  })
  .meta({ id: 'GateVersionSummary' })

export const gateVersionSchema = gateVersionSummarySchema.extend({ config: gateConfigForm }).meta({ id: 'GateVersion' })

/** A configuration to save. */
export const gateBody = checkedGateConfig(
  gateConfigForm.safeExtend({
    allow: z
      .literal('unpayable')
      .optional()
      .meta({ description: 'Saves prices that no configured payment method takes, too. Not stored' }),
  }),
)

/** A configuration that was saved, as JSON with the warnings about it, if there are any. */
export const savedGateSchema = gateConfigForm
  .safeExtend({
    warnings: z
      .array(z.object({ code: z.enum(['payer_lookup', 'no_payment_method']), tier: z.string() }))
      .optional()
      .meta({
        description:
          'payer_lookup: the tier costs more than 1.00, and the public address of a payer is enough to open what it bought. no_payment_method: the payment allows only methods that are not configured. Absent when there are none',
      }),
  })
  .meta({ id: 'SavedGate' })

export const serializeGateVersionSummary = ({ version, bytes, changedBy, changedAt }: GateVersionSummary) => ({
  version,
  bytes,
  changed_by: changedBy,
  changed_at: changedAt.toISOString(),
})

export const serializeGateVersion = (version: GateVersion) => ({
  ...serializeGateVersionSummary(version),
  config: version.config,
})
