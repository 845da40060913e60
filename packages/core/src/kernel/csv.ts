type Cell = string | number

/** The characters that make spreadsheets treat a cell as a formula, including their full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/**
 * The same after a character at which some spreadsheets begin another cell: where the comma is the decimal separator, they divide
 * rows at semicolons.
 */
const LATER_FORMULA = /([;\t\r\n] {0,8})(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g

function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const marked = value.replaceAll(LATER_FORMULA, "$1'")
  const text = FORMULA.test(value) ? `'${marked}` : marked
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns rows as CSV (RFC 4180). Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
