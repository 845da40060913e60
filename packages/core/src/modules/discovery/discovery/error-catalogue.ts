import type { ErrorDefinition } from '../../../kernel/errors.ts'

/** An entry of the error catalogue. */
export interface CatalogueEntry {
  readonly code: string
  readonly status: number
  readonly message: string
}

/** The errors by status and code, each once: a package that was loaded twice defines its own twice. */
export function catalogueOf(definitions: readonly ErrorDefinition[]): CatalogueEntry[] {
  const byCode = new Map(definitions.map(({ code, status, message }) => [code, { code, status, message }]))
  return [...byCode.values()].sort((left, right) => left.status - right.status || (left.code < right.code ? -1 : 1))
}

/** The catalogue as a Markdown table. */
export const catalogueTable = (entries: readonly CatalogueEntry[]): string =>
  ['| status | code | meaning |', '|---|---|---|']
    .concat(entries.map(({ code, status, message }) => `| ${status} | \`${code}\` | ${message} |`))
    .join('\n')
