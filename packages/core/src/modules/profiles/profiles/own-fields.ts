import type { GatedField } from '../../../model/gated-fields.ts'
import { fieldResource, type ProfileField } from '../../../model/profile-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

/** The value of an omitted field. */
const EMPTY: { readonly [Field in Exclude<ProfileField, 'files' | 'smart_sections'>]: Partial<Profile> } = {
  bio: { bio: null },
  avatar_url: { avatarUrl: null },
  cover_url: { coverUrl: null },
  accent: { accent: null },
  skills: { skills: [] },
  socials: { socials: {} },
  keywords: { keywords: [] },
  agent_instructions: { agentInstructions: null },
  agent_rules: { agentRules: null },
  capabilities: { capabilities: [] },
  custom_fields: { customFields: {} },
  type_data: { typeData: {} },
}

/** Whether a field is stored with the profile, and not in a part. */
export const isOwnField = (field: string): field is keyof typeof EMPTY => Object.hasOwn(EMPTY, field)

/** A profile, or a part of one, with some fields emptied. */
export function withoutFields<Known extends Partial<Profile>>(profile: Known, closed: readonly GatedField[]): Known {
  if (closed.length === 0) return profile
  const fields = closed.map(({ field, resource }) =>
    isOwnField(field) && resource === fieldResource(field) ? EMPTY[field] : {},
  )
  const empty = Object.assign({}, ...fields)
  return Object.fromEntries(
    Object.entries(profile).map(([name, value]) => [name, Object.hasOwn(empty, name) ? empty[name] : value]),
  ) as Known
}
