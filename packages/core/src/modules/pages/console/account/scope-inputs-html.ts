import { type Html, html } from '../../../../http/html/html.ts'
import { boxHtml } from '../../../../http/html/inputs.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { keysScreenMessages } from '../messages.ts'

/** What scopes are about, in words. Scopes of other modules are named as they are. */
const SUBJECTS = [
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

const OTHERS = { 'commerce:negotiate': 'negotiate', 'manage:keys': 'manageKeys' } as const

type Subject = (typeof SUBJECTS)[number]

const subjectOf = (scope: string): Subject | undefined => SUBJECTS.find((each) => scope.endsWith(`:${each}`))
const isOther = (scope: string): scope is keyof typeof OTHERS => Object.hasOwn(OTHERS, scope)

/** Returns what a scope permits, in words. */
export function scopeText(page: PageLanguage, scope: string): string {
  const say = keysScreenMessages(page)
  if (isOther(scope)) return say(OTHERS[scope])
  const subject = subjectOf(scope)
  if (subject === undefined) return scope
  return say(scope.startsWith('read:') ? 'readOf' : 'writeOf', { what: say(subject) })
}

/** Writes a box for each scope: those of one subject beside each other. */
export function scopeInputsHtml(
  page: PageLanguage,
  scopes: readonly string[],
  isChosen: (scope: string) => boolean,
): Html {
  const say = keysScreenMessages(page)
  const box = (scope: string, label: string) =>
    boxHtml({ name: 'scope', id: `scope-${scope}`, value: scope, label, isChecked: isChosen(scope) })
  const subjects = SUBJECTS.map((subject) => ({
    subject,
    read: scopes.includes(`read:${subject}`),
    write: scopes.includes(`write:${subject}`),
  })).filter(({ read, write }) => read || write)
  const others = scopes.filter((scope) => subjectOf(scope) === undefined)
  return html`<fieldset class="card"><legend>${say('scopes')}</legend>${subjects.map(
    ({ subject, read, write }) =>
      html`<div role="group" aria-label="${say(subject)}"><p class="soft">${say(subject)}</p>${read && box(`read:${subject}`, say('read'))}${write && box(`write:${subject}`, say('write'))}</div>`,
  )}${others.map((scope) => box(scope, scopeText(page, scope)))}</fieldset>\n`
}
