type Cell = string | number

/** The characters that make spreadsheets treat a cell as a formula, including their full-width forms. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns rows as CSV (RFC 4180). Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
