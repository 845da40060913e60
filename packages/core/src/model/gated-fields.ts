import type { GateConfig } from './gate-config.ts'
import { coveringTiers, isOpen } from './gate-rules.ts'
import { fieldResource, PROFILE_FIELDS } from './profile-fields.ts'

/** A field that a gate may close, or a part of profiles, and its name in gates. */
export interface GateableField {
  readonly field: string
  readonly resource: string
}

/** A gated field, and the tiers that open it; empty when no tier covers it. */
export interface GatedField extends GateableField {
  readonly tiers: readonly string[]
}

const OWN: readonly GateableField[] = PROFILE_FIELDS.map((field) => ({ field, resource: fieldResource(field) }))

/**
 * Returns the fields that a configuration gates, in the order of {@link PROFILE_FIELDS}, and then the gated ones of `parts` with
 * other names.
 */
export function gatedFields(
  config: GateConfig | null | undefined,
  parts: readonly GateableField[] = [],
): readonly GatedField[] {
  if (!config) return []
  const others = parts.filter(({ resource }) => OWN.every((own) => own.resource !== resource))
  return [...OWN, ...others].flatMap(({ field, resource }) => {
    const covering = coveringTiers(config, resource)
    return isOpen(config, resource, covering) ? [] : [{ field, resource, tiers: covering.map(({ name }) => name) }]
  })
}
