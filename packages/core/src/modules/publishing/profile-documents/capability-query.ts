import type { GateConfig } from '../../../model/gate-config.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { skillsOf } from '../../profiles/profiles/index.ts'

/** A capability of an entity: an action or readable content (EEP v0.1, 12.4). */
export interface CapabilityItem {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  readonly category: 'trait' | 'access'
  /** Its requirements. `public` without any. */
  readonly gate_types: readonly string[]
  /** The resources that it opens. */
  readonly access_patterns: readonly string[]
}

/** Filters: capabilities that contain the text, of this category, with this gate type. */
export interface CapabilityFilter {
  readonly query?: string | undefined
  readonly category?: string | undefined
  readonly gate_type?: string | undefined
}

/** The capabilities of a profile: its traits, and the resources and proofs of each gate tier. */
export function capabilityItems(profile: Profile, gates: GateConfig | undefined): readonly CapabilityItem[] {
  const traits = skillsOf(profile).map(
    ({ id, name, description }): CapabilityItem => ({
      id,
      name,
      description,
      category: 'trait',
      gate_types: ['public'],
      access_patterns: [],
    }),
  )
  const tiers = Object.entries(gates?.tiers ?? {}).map(
    ([tier, { label, description, requirements, access }]): CapabilityItem => {
      const types = [...new Set(requirements.map(({ type }) => type))]
      return {
        id: `tier.${tier}`,
        name: label ?? tier,
        ...(description === undefined ? {} : { description }),
        category: 'access',
        gate_types: types.length > 0 ? types : ['public'],
        access_patterns: access,
      }
    },
  )
  return [...traits, ...tiers]
}

/** The items that match a filter. */
export function matching(items: readonly CapabilityItem[], { query, category, gate_type }: CapabilityFilter) {
  const text = query?.toLowerCase()
  return items.filter(
    (item) =>
      (category === undefined || item.category === category) &&
      (gate_type === undefined || item.gate_types.includes(gate_type)) &&
      (text === undefined || `${item.id}\n${item.name}\n${item.description ?? ''}`.toLowerCase().includes(text)),
  )
}
