import { canonicalJson } from '../../../kernel/digest.ts'
import type { Profile, ProfileChanges } from '../../../ports/storage/profiles.ts'

/** The fields of a profile that its team may change. */
export type ProfileEdits = Omit<ProfileChanges, 'updatedAt' | 'ownerAccountId' | 'visibilityOnceVerified' | 'apps'>

/** The wire name and the internal name of each field. */
const FIELDS = {
  full_name: 'fullName',
  bio: 'bio',
  avatar_url: 'avatarUrl',
  cover_url: 'coverUrl',
  accent: 'accent',
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

/** The fields of a body, by their wire names. */
export type WireEdits = {
  readonly [Field in Exclude<WireField, 'type_data'>]?: ProfileEdits[(typeof FIELDS)[Field]] | undefined
} & { readonly type_data?: object | undefined }

const WIRE_FIELDS = Object.keys(FIELDS) as WireField[]

/** The fields that a body contains. */
export const toEdits = (body: WireEdits): ProfileEdits =>
  Object.fromEntries(
    WIRE_FIELDS.filter((field) => body[field] !== undefined).map((field) => [FIELDS[field], body[field]]),
  )

/** The fields that would actually change, by their wire names. */
export const changedFields = (profile: Profile, edits: ProfileEdits): readonly WireField[] =>
  WIRE_FIELDS.filter((field) => {
    const name = FIELDS[field]
    return edits[name] !== undefined && canonicalJson(edits[name]) !== canonicalJson(profile[name])
  })
