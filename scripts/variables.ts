// The table of the variables of the example host, made from their definitions.
import { VARIABLES, type Variable } from '../packages/host-example/src/variables.ts'

/** Text for people, whose angle brackets are not tags. */
const asMarkdown = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A table with a row for each variable. */
export function variableTable(): string {
  const rows = Object.entries<Variable<unknown>>(VARIABLES).map(
    ([name, { hint, secret }]) => `| \`${name}\` | ${asMarkdown(hint)} | ${secret ? 'yes' : ''} |`,
  )
  return ['| variable | value | secret |', '|---|---|---|', ...rows].join('\n')
}
