import { posix } from 'node:path'
import { Parser } from 'htmlparser2'
import { inline, paragraphs } from '../../kernel/markdown.ts'
import { type Parts, partOf, readParts } from './archive.ts'
import { type ReadText, tableOf } from './text.ts'

type Attributes = Readonly<Record<string, string>>
interface Hearing {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

function hear(xml: string, { open, text, close }: Hearing): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open?.(name, attributes),
      ontext: (part) => text?.(part),
      onclosetag: (name) => close?.(name),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
}

/** The slides in their order, by the names of their parts. */
function slidesOf(parts: Parts): string[] {
  const targets = new Map<string, string>()
  hear(partOf(parts, 'ppt/_rels/presentation.xml.rels'), {
    open: (name, { Id, Target }) => {
      if (name === 'Relationship' && Id && Target) targets.set(Id, posix.resolve('/ppt', Target).slice(1))
    },
  })
  const slides: string[] = []
  hear(partOf(parts, 'ppt/presentation.xml'), {
    open: (name, attributes) => {
      const target = name === 'p:sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (target !== undefined && parts.has(target)) slides.push(target)
    },
  })
  return slides
}

/** The texts of one slide: its title apart, paragraphs and tables as they come. */
function readSlide(xml: string) {
  const blocks: string[] = []
  let title = ''
  let isTitle = false
  let paragraph = ''
  let inText = false
  let rows: string[][] | undefined

  const endParagraph = () => {
    const text = paragraph.trim()
    paragraph = ''
    if (text === '') return
    const row = rows?.at(-1)
    if (row) row.push(`${row.pop() ?? ''} ${text}`.trim())
    else if (isTitle && title === '') title = text
    else blocks.push(paragraphs(text))
  }
  hear(xml, {
    open(name, { type }) {
      inText = name === 'a:t'
      if (name === 'p:sp') isTitle = false
      else if (name === 'p:ph') isTitle = type === 'title' || type === 'ctrTitle'
      else if (name === 'a:br') paragraph += '\n'
      else if (name === 'a:tbl') rows = []
      else if (name === 'a:tr') rows?.push([])
      else if (name === 'a:tc') rows?.at(-1)?.push('')
    },
    text(text) {
      if (inText) paragraph += text
    },
    close(name) {
      inText = false
      if (name === 'a:p') endParagraph()
      else if (name === 'a:tbl' && rows) {
        blocks.push(tableOf(rows).markdown.trim())
        rows = undefined
      }
    },
  })
  return { title, blocks }
}

/** The texts of a presentation, slide by slide. */
export async function fromSlides(bytes: Buffer): Promise<ReadText> {
  const parts = await readParts(bytes)
  const sections = slidesOf(parts).map((name, index) => {
    const { title, blocks } = readSlide(partOf(parts, name))
    return [`## ${inline(title) || `Slide ${index + 1}`}`, ...blocks].join('\n\n')
  })
  return { markdown: sections.length > 0 ? `${sections.join('\n\n')}\n` : '' }
}
