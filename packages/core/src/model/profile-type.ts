/** The nine types of profiles and the public path prefix of each. */
export const PREFIX_BY_TYPE = {
  person: 'u',
  organization: 'o',
  place: 'l',
  asset: 'a',
  product: 'p',
  knowledge: 'k',
  agent: 'agent',
  event: 'e',
  custom: 'x',
} as const

/** `person`, `organization` and the seven others. */
export type ProfileType = keyof typeof PREFIX_BY_TYPE
/** The first segment of the public path of a profile: `u`, `o`, … */
export type ProfilePrefix = (typeof PREFIX_BY_TYPE)[ProfileType]

export const PROFILE_TYPES = Object.keys(PREFIX_BY_TYPE) as [ProfileType, ...ProfileType[]]
export const PROFILE_PREFIXES = Object.values(PREFIX_BY_TYPE) as [ProfilePrefix, ...ProfilePrefix[]]

/** The type of profile for each first segment of public paths: `u` is `person`. */
export const TYPE_BY_PREFIX = Object.fromEntries(PROFILE_TYPES.map((type) => [PREFIX_BY_TYPE[type], type])) as Readonly<
  Record<ProfilePrefix, ProfileType>
>
