const READ_AND_WRITE = [
  'profiles',
  'content',
  'files',
  'feed',
  'messages',
  'connections',
  'notifications',
  'subscriptions',
  'gates',
  'services',
  'memory',
  'workspaces',
] as const

type Area = (typeof READ_AND_WRITE)[number]

/** What an API key may be allowed to do. A route names the one it needs. */
export type Scope =
  | `read:${Area}`
  | `write:${Area}`
  | 'read:events'
  | 'read:analytics'
  | 'read:payments'
  | 'commerce:negotiate'
  | 'write:reviews'
  | 'manage:keys'

/** Every scope, in the order in which documents name them. */
export const SCOPES: readonly [Scope, ...Scope[]] = [
  ...(READ_AND_WRITE.flatMap((area) => [`read:${area}`, `write:${area}`]) as [Scope, ...Scope[]]),
  'read:events',
  'read:analytics',
  'read:payments',
  'commerce:negotiate',
  'write:reviews',
  'manage:keys',
]

/** What a key may do when its maker names nothing: read. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('read:'))
