// The tables of roles in docs/guides/teams.md and docs/guides/workspaces.md, from the permissions that modules declare.
import {
  BASE_PERMISSIONS,
  type Permissions,
  ROLES,
  rolesOf,
  WORKSPACE_ROLES,
} from '../packages/core/src/model/permission.ts'
import { workspacePermissions } from '../packages/core/src/modules/insight/workspaces/permissions.ts'
import { everyModule } from '../packages/core/src/testing/every-module.ts'

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
