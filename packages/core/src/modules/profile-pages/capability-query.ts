import type { GateConfig } from '../../model/gate-config.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { skillsOf } from '../profiles/index.ts'

/** Something that can be done with an entity, or read of it (EEP v0.1, 12.4). */
export interface CapabilityItem {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  readonly category: 'trait' | 'access'
  /** What it asks for; `public` when nothing. */
  readonly gate_types: readonly string[]
  /** What it opens. */
  readonly access_patterns: readonly string[]
}

/** Filters: capabilities that contain the text, of this category, with this gate type. */
export interface CapabilityFilter {
  readonly query?: string | undefined
  readonly category?: string | undefined
  readonly gate_type?: string | undefined
}

/** What can be done with a profile: its traits, and what each tier of its gate opens, for which proofs. */
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

/** Those of the items that fit a filter. */
export function matching(items: readonly CapabilityItem[], { query, category, gate_type }: CapabilityFilter) {
  const text = query?.toLowerCase()
  return items.filter(
    (item) =>
      (category === undefined || item.category === category) &&
      (gate_type === undefined || item.gate_types.includes(gate_type)) &&
      (text === undefined || `${item.id}\n${item.name}\n${item.description ?? ''}`.toLowerCase().includes(text)),
  )
}
