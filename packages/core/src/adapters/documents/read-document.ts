import type { DocumentKind } from './document-kind.ts'
import { decodeText, type ReadText } from './text.ts'

type Reader = (bytes: Buffer, encoding?: string) => Promise<ReadText> | ReadText

/** The readers by kind of document. The libraries of a reader are loaded on its first use. */
const READERS: Readonly<Record<DocumentKind, () => Promise<Reader> | Reader>> = {
  text: () => (bytes, encoding) => ({ markdown: decodeText(bytes, encoding) }),
  csv: async () => (await import('./from-csv.ts')).fromCsv,
  html: async () => (await import('./from-html.ts')).fromHtml,
  pdf: async () => (await import('./from-pdf.ts')).fromPdf,
  docx: async () => (await import('./from-docx.ts')).fromDocx,
  pptx: async () => (await import('./from-slides.ts')).fromSlides,
  xlsx: async () => (await import('./from-sheets.ts')).fromSheets,
}

/** Reads a document, by default in UTF-8, in this process; run it in a separate process, because it may take any time and memory. */
export async function readDocument(kind: DocumentKind, bytes: Buffer, encoding?: string): Promise<ReadText> {
  const read = await READERS[kind]()
  return read(bytes, encoding)
}
