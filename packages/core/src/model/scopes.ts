/**
 * Every scope of an API key, in the order in which documents list them. Each one is required by at least one route: a scope
 * that opens nothing is neither granted nor listed.
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
  'read:events',
  'read:payments',
  'read:subscriptions',
  'write:subscriptions',
  'commerce:negotiate',
  'write:reviews',
  'manage:keys',
] as const

/** What an API key may be allowed to do. A route declares the one it requires. */
export type Scope = (typeof SCOPES)[number]

/** The scopes of a key that is created without naming any: those of `known` that read. */
export const defaultScopes = (known: readonly string[]): readonly string[] =>
  known.filter((scope) => scope.startsWith('read:'))
