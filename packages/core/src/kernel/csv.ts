type Cell = string | number

/** What spreadsheets run as a formula when a cell begins with it, full-width forms included. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function cellOf(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula is marked as text with an apostrophe. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
