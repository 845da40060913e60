/**
 * All scopes of API keys, in the order of the documentation. Each one is required by at least one route.
 */
export const SCOPES = [
  'read:profiles',
  'write:profiles',
  'read:content',
  'write:content',
  'read:files',
  'read:feed',
  'write:feed',
  'read:connections',
  'write:connections',
  'read:notifications',
  'write:notifications',
  'read:gates',
  'write:gates',
  'read:services',
  'write:services',
  'read:messages',
  'write:messages',
  'read:workspaces',
  'write:workspaces',
  'read:memory',
  'write:memory',
  'read:events',
  'read:payments',
  'read:audit',
  'read:analytics',
  'read:subscriptions',
  'write:subscriptions',
  'commerce:negotiate',
  'write:reviews',
  'manage:keys',
] as const

/** A scope of an API key. Routes declare the one they require. */
export type Scope = (typeof SCOPES)[number]

/** The default scopes of a new key: the reading ones of `known`. */
export const defaultScopes = (known: readonly string[]): readonly string[] =>
  known.filter((scope) => scope.startsWith('read:'))
