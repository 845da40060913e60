import type { GateConfig } from './gate-config.ts'
import { coveringTiers, isOpen } from './gate-rules.ts'
import { fieldResource, PROFILE_FIELDS, type ProfileField } from './profile-fields.ts'

/** A field that is not open to everyone, and the tiers that open it; none when no tier covers it. */
export interface GatedField {
  readonly field: ProfileField
  readonly tiers: readonly string[]
}

/** The fields that a configuration does not open to everyone, in the order of {@link PROFILE_FIELDS}. */
export function gatedFields(config: GateConfig | null | undefined): readonly GatedField[] {
  if (!config) return []
  return PROFILE_FIELDS.flatMap((field) => {
    const resource = fieldResource(field)
    const covering = coveringTiers(config, resource)
    return isOpen(config, resource, covering) ? [] : [{ field, tiers: covering.map(({ name }) => name) }]
  })
}
