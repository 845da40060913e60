import { type ScopeDefinition, type ScopeGroup, scopeGroup } from '../../../framework/module/scope.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { boxHtml } from '../../../http/html/inputs.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { scopeLabel, scopeText } from '../../people/api-keys/index.ts'
import { consentMessages } from './messages.ts'

/** The kinds of what an app may do, in the order of the page. */
const SCOPE_GROUPS: readonly ScopeGroup[] = ['read', 'change', 'spend']

/** A scope as people read it. */
export interface DescribedScope {
  readonly name: string
  readonly group: ScopeGroup
  /** What it permits, in the language of a page. */
  readonly words: string
  /** The same below the name of its group. */
  readonly label: string
}

/** Returns scopes as people read them. */
export type DescribeScopes = (page: PageLanguage, names: readonly string[]) => readonly DescribedScope[]

/** Creates {@link DescribeScopes} from the definitions of the modules. */
export const describeScopes =
  (definitions: ReadonlyMap<string, ScopeDefinition>): DescribeScopes =>
  (page, names) =>
    names.map((name) => {
      const definition = definitions.get(name) ?? { name }
      return {
        name,
        group: scopeGroup(definition),
        words: scopeText(page, definition),
        label: scopeLabel(page, definition),
      }
    })

/** How the boxes of scopes are written. */
export interface ScopeInputs {
  readonly scopes: readonly DescribedScope[]
  readonly isChosen: (scope: DescribedScope) => boolean
  /** Whether scopes that spend are left out, with the reason in their place. */
  readonly cannotSpend: boolean
  /** The problem of the choice. */
  readonly problem?: string | undefined
}

/** Writes a box for each scope, in the groups read, change and spend. */
export function scopeInputsHtml(page: PageLanguage, { scopes, isChosen, cannotSpend, problem }: ScopeInputs): Html {
  const say = consentMessages(page)
  const groups = SCOPE_GROUPS.map((group) => ({ group, members: scopes.filter((scope) => scope.group === group) }))
  const box = (scope: DescribedScope) =>
    html`${boxHtml({ name: 'scope', id: `scope-${scope.name}`, value: scope.name, label: scope.label, isChecked: isChosen(scope) })}`
  return html`<fieldset class="card"><legend>${say('scopes')}</legend>${problem && html`<p class="wrong">${problem}</p>`}${groups.map(
    ({ group, members }) =>
      members.length > 0 &&
      html`<div role="group" aria-label="${say(group)}"><p class="soft">${say(group)}</p>${
        group === 'spend' && cannotSpend ? html`<p>${say('cannotSpend')}</p>` : members.map(box)
      }</div>\n`,
  )}</fieldset>\n`
}
