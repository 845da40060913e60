import type { GateConfig } from './gate-config.ts'
import { coveringTiers, isOpen } from './gate-rules.ts'
import { fieldResource, PROFILE_FIELDS, type ProfileField } from './profile-fields.ts'

/** A gated field, and the tiers that open it; empty when no tier covers it. */
export interface GatedField {
  readonly field: ProfileField
  readonly tiers: readonly string[]
}

/** Returns the fields that a configuration gates, in the order of {@link PROFILE_FIELDS}. */
export function gatedFields(config: GateConfig | null | undefined): readonly GatedField[] {
  if (!config) return []
  return PROFILE_FIELDS.flatMap((field) => {
    const resource = fieldResource(field)
    const covering = coveringTiers(config, resource)
    return isOpen(config, resource, covering) ? [] : [{ field, tiers: covering.map(({ name }) => name) }]
  })
}
