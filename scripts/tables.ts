// The short tables in the pages, from the declarations of the modules: roles, scopes, emails, metrics, and the variables of the example
// host.
import { envExample, variablesOf } from '../packages/core/src/entries/host.ts'
import { metricsOf } from '../packages/core/src/framework/composition/metrics.ts'
import {
  BASE_PERMISSIONS,
  type Permissions,
  ROLES,
  rolesOf,
  WORKSPACE_ROLES,
} from '../packages/core/src/model/permission.ts'
import { workspacePermissions } from '../packages/core/src/modules/insight/workspaces/permissions.ts'
import { everyModule } from '../packages/core/src/testing/every-module.ts'
import { host } from '../packages/host-example/src/host.ts'
import type { DescribedRoute } from './described-routes.ts'
import { membersOf } from './events.ts'

function tableOf<Name extends string>(roles: readonly Name[], permissions: Permissions<Name>): string {
  const permits = rolesOf(roles, permissions)
  return [
    `| action | permission | ${roles.join(' | ')} |`,
    `|---|---|${roles.map(() => '---').join('|')}|`,
    ...Object.entries(permissions).map(
      ([action, { summary }]) =>
        `| ${summary} | \`${action}\` |${roles.map((role) => (permits(role, action) ? ' yes ' : ' ')).join('|')}|`,
    ),
  ].join('\n')
}

const declared = [...Object.values(BASE_PERMISSIONS), ...everyModule.map(({ permissions }) => permissions)]

/** The permissions of each role in a profile, as Markdown. */
export const roleTable = (): string => tableOf(ROLES, Object.assign({}, ...declared))

/** The permissions of each role in a workspace, as Markdown. */
export const workspaceRoleTable = (): string => tableOf(WORKSPACE_ROLES, workspacePermissions)

/** Each scope with the routes that ask for it, and those that show more with it, as Markdown. */
export function scopeTable(routes: readonly DescribedRoute[]): string {
  const cell = (scope: string, isOpen: boolean) => {
    const found = routes.filter(
      (route) => route.aliasOf === undefined && route.scope === scope && (route.auth === 'none') === isOpen,
    )
    const names = found.map(({ method, path }) => `\`${method} ${path}\``)
    return names.length > 0 ? ` ${names.join('<br>')} ` : ' '
  }
  const rows = everyModule
    .flatMap(({ scopes }) => scopes)
    .filter(({ only }) => only !== 'apps')
    .map(({ name: scope }) => `| \`${scope}\` |${cell(scope, false)}|${cell(scope, true)}|`)
  return ['| scope | opens | shows more at |', '|---|---|---|', ...rows].join('\n')
}

/** A table with a row for each kind of email, in the order of the modules. */
export function emailTable(): string {
  const rows = everyModule.flatMap(({ emails }) =>
    emails.map((email) => `| \`${email.kind}\` | ${email.summary} | ${membersOf(email)} |`),
  )
  return ['| kind | sent when | data |', '|---|---|---|', ...rows].join('\n')
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** A table of all metrics of the service, by name. */
export function metricsTable(): string {
  const metrics = metricsOf(everyModule).toSorted((left, right) => (left.name < right.name ? -1 : 1))
  return [
    row(['metric', 'kind', 'labels', 'meaning']),
    row(['---', '---', '---', '---']),
    ...metrics.map(({ name, kind, labels, help }) =>
      row([`\`${name}\``, kind, labels.map((label) => `\`${label}\``).join(', '), help]),
    ),
  ].join('\n')
}

/** Text for people, whose angle brackets are not tags. */
const asMarkdown = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A table with a row for each variable. */
export function variableTable(): string {
  const rows = Object.entries(variablesOf(host)).map(
    ([name, { help, secret }]) => `| \`${name}\` | ${asMarkdown(help)} | ${secret ? 'yes' : ''} |`,
  )
  return ['| variable | value | secret |', '|---|---|---|', ...rows].join('\n')
}

/** The file that lists the variables of the example host. */
export const exampleVariables = (): string => envExample(host)
