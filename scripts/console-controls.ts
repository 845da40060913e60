// docs/reference/console-controls.md, made from the screens of the console.
import type { DeclaredScreen, Screen } from '../packages/core/src/framework/module/screen.ts'
import { ROLES, type Role } from '../packages/core/src/model/permission.ts'
import type { DescribedService } from './described-routes.ts'

/** From the role that may do least. */
const COLUMNS: readonly Role[] = ROLES.toReversed()

const row = (cells: readonly string[]) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
const heading = (cells: readonly string[]) => [row(cells), row(cells.map(() => '---'))]

/** `{id}` for `:id`, as the other pages write addresses. */
const address = ({ path }: Pick<Screen, 'path'>) => `\`${path.replaceAll(/:(\w+)/g, '{$1}')}\``

const proofOf = (screen: Screen, recent: true | 'sometimes' | undefined) =>
  recent === 'sometimes' ? 'sometimes' : recent || screen.section === 'admin' ? 'yes' : ''

/** The controls of the screens of one section that are the same for everyone who opens them. */
function ofEveryone(screens: readonly DeclaredScreen[], section: 'account' | 'admin'): readonly string[] {
  return screens.flatMap(({ screen }) =>
    screen.section === section
      ? [
          row([address(screen), '_open_', '']),
          ...Object.entries(screen.post ?? {}).map(([key, { recent }]) =>
            row([address(screen), `\`${key}\``, proofOf(screen, recent)]),
          ),
        ]
      : [],
  )
}

/** The page with the controls of each screen and the roles that may use them. */
export function consoleControlsPage({ screens, may }: Pick<DescribedService, 'screens' | 'may'>): string {
  const rows = screens.flatMap(({ screen }) => {
    if (screen.section !== 'profile') return []
    const { permission: opens = 'profile.read', post = {} } = screen
    const roles = (permission: typeof opens) => COLUMNS.map((role) => (may(role, permission) ? 'yes' : ''))
    return [
      row([address(screen), '_open_', `\`${opens}\``, ...roles(opens), '']),
      ...Object.entries(post).map(([key, { permission = opens, recent }]) =>
        row([address(screen), `\`${key}\``, `\`${permission}\``, ...roles(permission), proofOf(screen, recent)]),
      ),
    ]
  })
  return `# Controls of the console

Generated from the screens by \`npm run docs\`, with every module on. The [console](../guides/console.md) explains the screens.

A control is the value of the input \`do\` of a form. A screen shows a control only to people who may use it, and only where there is
something to use it on: a profile without sales has no \`refund\`. A form that is posted by hand for another control is refused with 403 and
changes nothing; below \`/admin\`, screens and forms are 404 for people who are not administrators. Services check more than the role: an
editor may create a preview link, but not that of a page with a price.

_Open_ is the screen itself. _Proof_: whether the control needs a proof of the person within the last ten minutes.

## Screens of a profile, by role in its team

${[...heading(['screen', 'control', 'permission', ...COLUMNS, 'proof']), ...rows].join('\n')}

## Screens of an account

Every account uses them, for itself.

${[...heading(['screen', 'control', 'proof']), ...ofEveryone(screens, 'account')].join('\n')}

## Screens of administrators

${[...heading(['screen', 'control', 'proof']), ...ofEveryone(screens, 'admin')].join('\n')}
`
}
