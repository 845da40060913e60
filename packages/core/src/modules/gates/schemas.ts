import { z } from 'zod'
import { gateConfigForm } from '../../model/gate-config.ts'
import type { GateVersion, GateVersionSummary } from '../../ports/storage/gates.ts'

export const gateVersionSummarySchema = z.object({
  version: z.int(),
  bytes: z.int().meta({ description: 'The size of the configuration as JSON' }),
  changed_by: z.string().nullable().meta({ description: 'The account that wrote it, while there is one' }),
  changed_at: z.string(),
})

export const gateVersionSchema = gateVersionSummarySchema.extend({ config: gateConfigForm })

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
