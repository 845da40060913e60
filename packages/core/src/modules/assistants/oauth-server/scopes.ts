import { oauthError } from './oauth-error.ts'

/** What an app asks for without naming scopes: enough to read. */
export const BASIC_SCOPES: readonly string[] = ['read:profiles', 'read:content', 'read:files', 'read:feed']

/** The scope with which an app may pay in the name of the account. Only apps have it. */
export const SPEND_PAYMENTS = 'spend:payments'

/** Accepted and dropped: every connection has a refresh token. */
const OFFLINE_ACCESS = 'offline_access'
const MAX_TEXT = 4_096

/** A scope, and which programs can have it. */
interface ScopeOf {
  readonly name: string
  readonly only?: 'keys' | 'apps' | undefined
}

/** The scopes that apps can get by default: all but those of API keys alone. */
export const defaultGrantable = (scopes: readonly ScopeOf[]): readonly string[] =>
  scopes.filter(({ only }) => only !== 'keys').map(({ name }) => name)

/** The names in a `scope` parameter, each once. Undefined without the parameter. */
function namesIn(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  if (text.length > MAX_TEXT) throw oauthError('invalid_scope', 'The scope is longer than 4096 characters')
  return [...new Set(text.split(' ').filter((name) => name !== ''))]
}

/** Whether a scope spends money or credits. */
export const isSpending = (scope: string): boolean => scope.startsWith('spend:')

/**
 * The scopes that an authorization request asks for, in the order of `grantable`. Unknown scopes and those that cannot be granted are
 * dropped. Default: the basic scopes.
 *
 * @throws `invalid_scope` when none is left
 */
export function parseScope(text: string | undefined, grantable: readonly string[]): readonly string[] {
  const names = namesIn(text)?.filter((name) => name !== OFFLINE_ACCESS)
  const asked = new Set(names === undefined || names.length === 0 ? BASIC_SCOPES : names)
  const scopes = grantable.filter((scope) => asked.has(scope))
  if (scopes.length === 0) throw oauthError('invalid_scope', 'This service can grant none of these scopes')
  return scopes
}

/**
 * The scopes of a token that is refreshed with a `scope` parameter: all of the connection by default.
 *
 * @throws `invalid_scope` for a scope that the connection does not have, and when none is named
 */
export function narrowScope(text: string | undefined, granted: readonly string[]): readonly string[] {
  const names = namesIn(text)?.filter((name) => name !== OFFLINE_ACCESS)
  if (names === undefined) return granted
  const excess = names.find((name) => !granted.includes(name))
  if (excess !== undefined) throw oauthError('invalid_scope', `The person did not allow this app ${excess}`)
  const scopes = granted.filter((scope) => names.includes(scope))
  if (scopes.length === 0) throw oauthError('invalid_scope', 'The scope names nothing')
  return scopes
}

/** The scopes that hold now of those that a token was issued with: the person may have taken some away since. */
export const effectiveScopes = (issued: readonly string[] | null, granted: readonly string[]): readonly string[] =>
  issued === null ? granted : granted.filter((scope) => issued.includes(scope))

/** Scopes as a `scope` parameter. */
export const formatScope = (scopes: readonly string[]): string => scopes.join(' ')
