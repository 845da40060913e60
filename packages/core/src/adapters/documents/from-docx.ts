import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { readParts } from './archive.ts'
import { htmlToMarkdown } from './from-html.ts'
import { Refusal } from './refusal.ts'
import type { ReadText } from './text.ts'

/** The text of a document of Word. */
export async function fromDocx(bytes: Buffer): Promise<ReadText> {
  const parts = await readParts(bytes)
  if (!parts.has('[Content_Types].xml')) throw new Refusal('broken', 'The file is not a Word document')
  // A new archive of the checked parts, because the library inflates everything without a limit.
  const buffer = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }))
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
  )
  return { markdown: htmlToMarkdown(value) }
}
