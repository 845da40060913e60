import { zipSync } from 'fflate'
import readSheets from 'read-excel-file/node'
import { inline } from '../../kernel/markdown.ts'
import { readParts } from './archive.ts'
import { Refusal } from './refusal.ts'
import { type ReadText, tableOf } from './text.ts'

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (!(value instanceof Date)) return String(value)
  if (Number.isNaN(value.getTime())) return ''
  const [day = '', time = ''] = value.toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`
}

/** The sheets of a workbook, each a table under its name. */
export async function fromSheets(bytes: Buffer): Promise<ReadText> {
  const parts = await readParts(bytes)
  if (!parts.has('xl/workbook.xml')) throw new Refusal('broken', 'The file is not an Excel workbook')
  // A new archive of the checked parts, because the library inflates everything without a limit.
  const sheets = await readSheets(Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 })))
  const texts = sheets.map(({ sheet, data }) => ({ sheet, table: tableOf(data.map((row) => row.map(cellText))) }))
  return {
    markdown: texts.map(({ sheet, table }) => `## ${inline(sheet)}\n\n${table.markdown}`).join('\n'),
    warnings: texts.flatMap(({ sheet, table }) => (table.warnings ?? []).map((warning) => `${sheet}: ${warning}`)),
  }
}
