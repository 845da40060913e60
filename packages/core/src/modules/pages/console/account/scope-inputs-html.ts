import type { ScopeDefinition } from '../../../../framework/module/scope.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { boxHtml } from '../../../../http/html/inputs.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { SCOPE_SUBJECTS, scopeText, scopeTexts, subjectOfScope } from '../../../people/api-keys/index.ts'
import { keysScreenMessages } from '../messages.ts'

/** Writes a box for each scope: those of one subject beside each other. */
export function scopeInputsHtml(
  page: PageLanguage,
  scopes: readonly ScopeDefinition[],
  isChosen: (scope: string) => boolean,
): Html {
  const say = scopeTexts(page)
  const names = scopes.map(({ name }) => name)
  const box = (scope: string, label: string) =>
    boxHtml({ name: 'scope', id: `scope-${scope}`, value: scope, label, isChecked: isChosen(scope) })
  const subjects = SCOPE_SUBJECTS.map((subject) => ({
    subject,
    read: names.includes(`read:${subject}`),
    write: names.includes(`write:${subject}`),
  })).filter(({ read, write }) => read || write)
  const others = scopes.filter(({ name }) => subjectOfScope(name) === undefined)
  return html`<fieldset class="card"><legend>${keysScreenMessages(page)('scopes')}</legend>${subjects.map(
    ({ subject, read, write }) =>
      html`<div role="group" aria-label="${say(subject)}"><p class="soft">${say(subject)}</p>${read && box(`read:${subject}`, say('read'))}${write && box(`write:${subject}`, say('write'))}</div>`,
  )}${others.map((scope) => box(scope.name, scopeText(page, scope)))}</fieldset>\n`
}
