// The commands of `eep` and `eep-postgres` in docs/reference/cli.md, from their definitions.
import { HELP } from '../packages/adapters-postgres/src/cli-help.ts'
import { COMMANDS } from '../packages/core/src/host/commands/list.ts'

/** The page about a command, relative to docs/reference. */
const PAGES: Readonly<Record<string, string>> = {
  doctor: '../operate/operations.md#check-a-configuration',
  migrate: '../operate/upgrades.md',
  'admin create': '../guides/administration.md#the-first-administrator',
  'keys rotate': '../operate/operations.md#secrets-and-their-rotation',
  export: '../guides/export-and-import.md',
  import: '../guides/export-and-import.md',
  reindex: '../guides/search.md#rebuild-the-index',
  reconcile: '../operate/operations.md#compare-the-books',
  purge: '../operate/data-retention.md',
}

const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\``
const synopsis = ({ name, usage }: (typeof COMMANDS)[number]) => `${name} ${usage}`.trim()

/** The usage of `eep-postgres`. */
export const postgresUsage = (): string => fenced(HELP)

/** A table of the commands of `eep`, and a section with the help of each. */
export function hostCommands(): string {
  const rows = COMMANDS.map((command) => {
    const page = PAGES[command.name]
    if (page === undefined) throw new Error(`scripts/commands.ts names no page for the command ${command.name}`)
    return `| [\`${command.name}\`](#eep-${command.name.replaceAll(' ', '-')}) | ${command.summary} | [guide](${page}) |`
  })
  const sections = COMMANDS.map(
    (command) => `### eep ${command.name}\n\n${fenced(`eep ${synopsis(command)}\n\n${command.help}`)}`,
  )
  return [['| command | does | see |', '| --- | --- | --- |', ...rows].join('\n'), ...sections].join('\n\n')
}
