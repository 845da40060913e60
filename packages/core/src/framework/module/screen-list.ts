import { type Html, html } from '../../http/html/html.ts'
import { hrefOn } from '../../http/html/view.ts'
import type { PageRequest } from '../../kernel/page.ts'
import type { ScreenVisit } from './screen.ts'

/** How many entries a screen lists. */
const LISTED = 30

/**
 * Returns the page of a list that the query of a screen names.
 *
 * @param name - the text of the query with the cursor; screens with several lists have one for each. Default: `cursor`
 */
export const listedPage = ({ query }: Pick<ScreenVisit, 'query'>, name = 'cursor'): PageRequest => ({
  limit: LISTED,
  cursor: query[name],
})

/** Writes a link to the next page of a list, which keeps the filters of the query; false on the last page. `name` as in {@link listedPage}. */
export function nextPageHtml(
  { site, path, query }: Pick<ScreenVisit, 'site' | 'path' | 'query'>,
  { nextCursor }: { readonly nextCursor?: string | undefined },
  label: string,
  name = 'cursor',
): Html | false {
  if (nextCursor === undefined) return false
  const texts = new URLSearchParams({ ...query, [name]: nextCursor })
  return html`<p><a rel="next" href="${hrefOn(site, `${path}?${texts}`)}">${label}</a></p>\n`
}

/** A column of a table. */
export interface Column<Row> {
  /** Empty for a column of buttons, which has no heading. */
  readonly label: string
  readonly cell: (row: Row) => Html | string | false
  /** Whether it is at the end of its line, in figures of one width. Default: false. */
  readonly isNumber?: boolean | undefined
}

/** Writes a table whose rows are cards on phones. The first column names the row. */
export function tableHtml<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const number = ({ isNumber }: Column<Row>) => isNumber && html` class="num"`
  const [first, ...others] = columns
  return html`<table class="stack"><caption class="sr-only">${caption}</caption><thead><tr>${columns.map((column) => (column.label === '' ? html`<td></td>` : html`<th scope="col"${number(column)}>${column.label}</th>`))}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${first && html`<th scope="row">${first.cell(row)}</th>`}${others.map((column) => html`<td data-th="${column.label}"${number(column)}>${column.cell(row)}</td>`)}</tr>\n`,
  )}</tbody></table>\n`
}
