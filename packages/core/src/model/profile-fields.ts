/**
 * The fields of a profile that a gate can close, as `profile.<field>`. What says who a profile is and how it is reached
 * (type, username, DID, full name, links, access terms) and what the service itself says of it (id, visibility, dates,
 * trust score) is never gated.
 */
export const PROFILE_FIELDS = [
  'bio',
  'avatar_url',
  'skills',
  'socials',
  'keywords',
  'agent_instructions',
  'agent_rules',
  'capabilities',
  'custom_fields',
  'type_data',
  'files',
] as const

export type ProfileField = (typeof PROFILE_FIELDS)[number]

/** The name by which gates know a whole profile; `profile.*` covers it. */
export const PROFILE_RESOURCE = 'profile'

/** The name by which gates know a field of a profile. */
export const fieldResource = (field: ProfileField): string => `${PROFILE_RESOURCE}.${field}`

const PROFILE_PATTERNS: ReadonlySet<string> = new Set([
  `${PROFILE_RESOURCE}.*`,
  ...PROFILE_FIELDS.flatMap((field) => [fieldResource(field), `${fieldResource(field)}.*`]),
])

/**
 * Whether a pattern of a tier that asks for something names a part of a profile that no gate can close: a field that is
 * always public, a member of a field, or a misspelt name. Such a tier would promise what it does not guard.
 */
export const guardsNoField = (pattern: string): boolean =>
  (pattern === PROFILE_RESOURCE || pattern.startsWith(`${PROFILE_RESOURCE}.`)) && !PROFILE_PATTERNS.has(pattern)
