import { type GateRequirement, isCombined } from './gate-config.ts'

/** Longer allowlists are shown by their length. */
const MAX_SHOWN_DIDS = 10

/** The members of longer extension requirements are shown in the configuration only. */
const MAX_EXTENSION_BYTES = 4_096

/** A requirement in a refusal. The whole of it is in the gate configuration, which each refusal links. */
export type ShownRequirement = { readonly type: string } & Readonly<Record<string, unknown>>

// The requirements of a cached gate are the same objects in every refusal.
const known = new WeakMap<GateRequirement, ShownRequirement>()

function shorten(requirement: GateRequirement): ShownRequirement {
  const { type } = requirement
  if (isCombined(requirement)) return { ...requirement, requirements: requirement.requirements.map(shownRequirement) }
  if (type === 'allowlist' && 'dids' in requirement && Array.isArray(requirement.dids)) {
    const { dids, ...rest } = requirement
    return dids.length > MAX_SHOWN_DIDS ? { ...rest, type, dids_count: dids.length } : { ...requirement }
  }
  const isLong = type.startsWith('x-') && JSON.stringify(requirement).length > MAX_EXTENSION_BYTES
  return isLong ? { type } : { ...requirement }
}

/** Shortens a requirement for a refusal: without the entries of a long allowlist and without long extension members. */
export function shownRequirement(requirement: GateRequirement): ShownRequirement {
  const shown = known.get(requirement) ?? shorten(requirement)
  known.set(requirement, shown)
  return shown
}
