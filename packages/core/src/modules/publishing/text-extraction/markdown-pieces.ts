/** The parser takes more than twice as long for twice the text, so long texts are parsed in pieces of about this size. */
const PIECE_CHARACTERS = 16_384
/** A block that has not ended by then is divided between two of its lines. */
const MAX_PIECE_CHARACTERS = 8 * PIECE_CHARACTERS

const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** Lines that may continue the block before a blank line: indented ones, list items, quotations and table rows. */
const CONTINUES = /^(?:\s|[-*+>|]|\d{1,9}[.)])/
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:\s*\S/

interface Divided {
  readonly pieces: readonly string[]
  /** The link definitions of the whole text, by label: `[home]: https://example.com`. */
  readonly definitions: ReadonlyMap<string, string>
}

const labelOf = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** The fence that is open after a line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = FENCE.exec(line)?.[1]
  if (mark === undefined) return open
  if (open === undefined) return mark
  const closes = mark.startsWith(open) && line.trim() === mark
  return closes ? undefined : open
}

function divide(markdown: string): Divided {
  const pieces: string[] = []
  const definitions = new Map<string, string>()
  let lines: string[] = []
  let length = 0
  let fence: string | undefined
  let afterBlank = false
  const end = () => {
    pieces.push(lines.join('\n'))
    // A block that is divided inside a fence continues as code.
    lines = fence === undefined ? [] : [fence]
    length = 0
  }
  for (const line of markdown.split('\n')) {
    const isBetween = afterBlank && fence === undefined && !CONTINUES.test(line)
    if ((length >= PIECE_CHARACTERS && isBetween) || length >= MAX_PIECE_CHARACTERS) end()
    const [, label] = (fence === undefined && DEFINITION.exec(line)) || []
    if (label !== undefined && !definitions.has(labelOf(label))) definitions.set(labelOf(label), line)
    fence = fenceAfter(line, fence)
    afterBlank = line.trim() === ''
    lines.push(line)
    length += line.length + 1
  }
  end()
  return { pieces, definitions }
}

const REFERENCE = /\[([^[\]\n]{1,200})\]/g

/** Returns a piece with the definitions of other pieces that it refers to. */
function withDefinitions(piece: string, definitions: Divided['definitions']): string {
  if (definitions.size === 0) return piece
  const labels = new Set([...piece.matchAll(REFERENCE)].map(([, label = '']) => labelOf(label)))
  const found = [...labels].flatMap((label) => definitions.get(label) ?? [])
  return found.length === 0 ? piece : `${piece}\n\n${found.join('\n')}`
}

/** Divides Markdown into pieces that can be parsed one by one. A text of up to 16 KiB is one piece. */
export function markdownPieces(markdown: string): readonly string[] {
  if (markdown.length <= PIECE_CHARACTERS) return [markdown]
  const { pieces, definitions } = divide(markdown)
  return pieces.map((piece) => withDefinitions(piece, definitions))
}
