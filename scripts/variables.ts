// The table of the variables of the example host, and its `.env.example`, from the tables of its adapters.
import { envExample, variablesOf } from '../packages/core/src/entries/host.ts'
import { host } from '../packages/host-example/src/host.ts'

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
