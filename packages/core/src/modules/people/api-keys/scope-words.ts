import type { ScopeDefinition } from '../../../framework/module/scope.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { messages } from './messages.ts'

const scopeMessages = messages('api-keys-scopes')

/** What the scopes of this package are about, each with `read:`, `write:` or both. */
export const SCOPE_SUBJECTS = [
  'profiles',
  'content',
  'files',
  'gates',
  'payments',
  'feed',
  'connections',
  'messages',
  'notifications',
  'services',
  'reviews',
  'events',
  'subscriptions',
  'memory',
  'workspaces',
  'analytics',
  'audit',
] as const

export type ScopeSubject = (typeof SCOPE_SUBJECTS)[number]

const OTHERS = {
  'commerce:negotiate': 'negotiate',
  'manage:keys': 'manageKeys',
  'spend:payments': 'spendPayments',
} as const

const isOther = (scope: string): scope is keyof typeof OTHERS => Object.hasOwn(OTHERS, scope)

/** Returns what a scope of this package is about; undefined for one of a host, and for one that is not of a subject. */
export const subjectOfScope = (scope: string): ScopeSubject | undefined =>
  SCOPE_SUBJECTS.find((subject) => scope === `read:${subject}` || scope === `write:${subject}`)

/** Returns the texts about scopes: the subjects, `read` and `write`. */
export const scopeTexts = (page: PageLanguage) => scopeMessages(page)

/** Returns what a scope permits, in words: those of its definition, else ours, else its name. */
export function scopeText(page: PageLanguage, { name, words }: Pick<ScopeDefinition, 'name' | 'words'>): string {
  if (words) return words(page)
  const say = scopeMessages(page)
  if (isOther(name)) return say(OTHERS[name])
  const subject = subjectOfScope(name)
  if (subject === undefined) return name
  return say(name.startsWith('read:') ? 'readOf' : 'writeOf', { what: say(subject) })
}

/** Returns what a scope permits below a heading that already has `Read` or `Change`: its subject, else the same as {@link scopeText}. */
export function scopeLabel(page: PageLanguage, scope: Pick<ScopeDefinition, 'name' | 'words'>): string {
  const subject = scope.words ? undefined : subjectOfScope(scope.name)
  return subject === undefined ? scopeText(page, scope) : scopeMessages(page)(subject)
}
