import { getDocumentProxy } from 'unpdf'
import { inline } from '../../kernel/markdown.ts'
import { Refusal } from './refusal.ts'
import { MAX_MARKDOWN_BYTES, type ReadText } from './text.ts'

const MAX_PAGES = 5_000
/** The distance between lines, in line heights, that separates paragraphs. */
const GAP = 1.7

interface TextItem {
  readonly str: string
  readonly hasEOL: boolean
  readonly height: number
  readonly transform: readonly number[]
}

/** The lines of a page as paragraphs: a larger gap than between lines starts another one. */
function paragraphsOf(items: readonly TextItem[]): string {
  const lines: { text: string; y: number; height: number }[] = []
  let line = { text: '', y: 0, height: 0 }
  for (const { str, hasEOL, height, transform } of items) {
    if (str !== '') line = { text: line.text + str, y: transform[5] ?? 0, height: Math.max(line.height, height) }
    if (!hasEOL) continue
    lines.push(line)
    line = { text: '', y: 0, height: 0 }
  }
  lines.push(line)

  const written: string[] = []
  let before: { y: number; height: number } | undefined
  for (const { text, y, height } of lines) {
    if (text.trim() === '') continue
    if (before && Math.abs(before.y - y) > GAP * Math.max(before.height, height)) written.push('')
    written.push(inline(text))
    before = { y, height }
  }
  return written.join('\n')
}

/** The text of a PDF, page by page. Images of text are not read. */
export async function fromPdf(bytes: Buffer): Promise<ReadText> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 }).catch(
    (error: unknown) => {
      const isProtected = (error as Error | null)?.name === 'PasswordException'
      throw isProtected ? new Refusal('protected', 'The document is protected by a password', error) : error
    },
  )
  const pages: string[] = []
  let length = 0
  let read = 0
  for (; read < Math.min(pdf.numPages, MAX_PAGES) && length <= MAX_MARKDOWN_BYTES; read++) {
    const page = await pdf.getPage(read + 1)
    const { items } = await page.getTextContent()
    const text = paragraphsOf(items.filter((item) => 'str' in item))
    page.cleanup()
    length += text.length
    if (text !== '') pages.push(text)
  }
  const warnings = [
    ...(read < pdf.numPages ? [`Only the first ${read} of ${pdf.numPages} pages were read`] : []),
    ...(length === 0 ? ['The document contains no text; images of text are not read'] : []),
  ]
  return { markdown: pages.length > 0 ? `${pages.join('\n\n')}\n` : '', warnings }
}
