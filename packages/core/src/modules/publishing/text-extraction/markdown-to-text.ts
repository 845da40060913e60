import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { markdownPieces } from './markdown-pieces.ts'

const processor = unified().use(remarkParse).use(remarkGfm)
type Root = ReturnType<typeof processor.parse>
type Node = Root | Root['children'][number]

/** The text of nodes inside a line: of emphasis its words, of a link its label, of an image its alternative text. */
function inlineText(node: Node): string {
  if (node.type === 'break') return '\n'
  if (node.type === 'image' || node.type === 'imageReference') return node.alt ?? ''
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(inlineText).join('') : ''
}

const indented = (text: string) => text.replaceAll(/\n(?=[^\n])/g, '\n  ')

function blockText(node: Node): string {
  switch (node.type) {
    case 'root':
    case 'blockquote':
    case 'footnoteDefinition':
      return blocksText(node.children)
    case 'list':
      return node.children
        .map((item, index) => {
          const mark = node.ordered ? `${(node.start ?? 1) + index}.` : '-'
          return `${mark} ${indented(blocksText(item.children, node.spread || item.spread ? '\n\n' : '\n'))}`
        })
        .join('\n')
    case 'table':
      return node.children.map((row) => row.children.map(inlineText).join('\t')).join('\n')
    default:
      return inlineText(node)
  }
}

const blocksText = (nodes: readonly Node[], between = '\n\n'): string =>
  nodes
    .map(blockText)
    .filter((text) => text !== '')
    .join(between)

/** Longer texts are not parsed: that takes longer than a client waits, and more memory than the thread has. */
const MAX_PARSED_CHARACTERS = 1_048_576

const LINE_MARKS = /^(?:[ \t]{0,20}>){1,99}[ \t]?|^[ \t]{0,20}#{1,6}[ \t]+|^[ \t]{0,3}(?:`{3,}|~{3,}).{0,200}$/
const LINK = /!?\[([^[\]\n]{0,200})\]\([^()\n]{0,2000}\)/g
const EMPHASIS = /[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}/g

/**
 * Removes the common Markdown syntax line by line, without parsing it.
 *
 * @internal
 */
export const stripMarks = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => line.replace(LINE_MARKS, '').replaceAll(LINK, '$1').replaceAll(EMPHASIS, ''))
    .join('\n')

function pieceText(piece: string): string {
  try {
    return blockText(processor.parse(piece))
  } catch {
    // Nested deeper than the stack allows.
    return stripMarks(piece).trim()
  }
}

/**
 * Returns Markdown as plain text: paragraphs with a blank line between them, list items after `- ` or their number, table
 * cells with a tab between them, code as it is written.
 */
export function markdownToText(markdown: string): string {
  if (markdown.length > MAX_PARSED_CHARACTERS) return stripMarks(markdown)
  const text = markdownPieces(markdown)
    .map(pieceText)
    .filter((piece) => piece !== '')
    .join('\n\n')
  return text === '' ? '' : `${text}\n`
}
