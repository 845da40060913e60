import { canonicalJson } from '../../kernel/digest.ts'
import type { Profile, ProfileChanges } from '../../ports/storage/profiles.ts'

/** What a team may change of its profile. */
export type ProfileEdits = Omit<ProfileChanges, 'updatedAt' | 'ownerAccountId'>

/** The name of each field outside and inside. */
const FIELDS = {
  full_name: 'fullName',
  bio: 'bio',
  avatar_url: 'avatarUrl',
  email: 'email',
  skills: 'skills',
  socials: 'socials',
  keywords: 'keywords',
  agent_instructions: 'agentInstructions',
  agent_rules: 'agentRules',
  capabilities: 'capabilities',
  custom_fields: 'customFields',
  type_data: 'typeData',
  visibility: 'visibility',
} as const satisfies Record<string, keyof ProfileEdits>

type WireField = keyof typeof FIELDS

/** What a body may hold of the fields, by their names outside. */
export type WireEdits = {
  readonly [Field in Exclude<WireField, 'type_data'>]?: ProfileEdits[(typeof FIELDS)[Field]] | undefined
} & { readonly type_data?: object | undefined }

const WIRE_FIELDS = Object.keys(FIELDS) as WireField[]

/** The fields that a body names. */
export const toEdits = (body: WireEdits): ProfileEdits =>
  Object.fromEntries(
    WIRE_FIELDS.filter((field) => body[field] !== undefined).map((field) => [FIELDS[field], body[field]]),
  )

/** Which fields would really change, by their names outside. */
export const changedFields = (profile: Profile, edits: ProfileEdits): readonly WireField[] =>
  WIRE_FIELDS.filter((field) => {
    const name = FIELDS[field]
    return edits[name] !== undefined && canonicalJson(edits[name]) !== canonicalJson(profile[name])
  })
