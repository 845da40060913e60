/**
 * The fields of a profile that a gate can close, as `profile.<field>`. Fields that identify a profile and how to reach it
 * (type, username, DID, full name, links, access terms) and those that the service sets (id, visibility, dates, trust
 * score) are never gated.
 */
export const PROFILE_FIELDS = [
  'bio',
  'avatar_url',
  'cover_url',
  'accent',
  'skills',
  'socials',
  'keywords',
  'agent_instructions',
  'agent_rules',
  'capabilities',
  'custom_fields',
  'type_data',
  'files',
  'smart_sections',
] as const

export type ProfileField = (typeof PROFILE_FIELDS)[number]

/** The resource name of a whole profile in gates; `profile.*` covers it. */
export const PROFILE_RESOURCE = 'profile'

/** The resource name of a profile field in gates. */
export const fieldResource = (field: ProfileField): string => `${PROFILE_RESOURCE}.${field}`

const PROFILE_PATTERNS: ReadonlySet<string> = new Set([
  `${PROFILE_RESOURCE}.*`,
  ...PROFILE_FIELDS.flatMap((field) => [fieldResource(field), `${fieldResource(field)}.*`]),
])

/**
 * Whether a pattern names a part of a profile that no gate can close: a field that is always public, a member of a field,
 * or a misspelt name. A tier with requirements must not have such a pattern, because it would protect nothing.
 */
export const guardsNoField = (pattern: string): boolean =>
  (pattern === PROFILE_RESOURCE || pattern.startsWith(`${PROFILE_RESOURCE}.`)) && !PROFILE_PATTERNS.has(pattern)
