import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

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

/**
 * Returns Markdown as plain text: paragraphs with a blank line between them, list items after `- ` or their number, table
 * cells with a tab between them, code as it is written.
 */
export function markdownToText(markdown: string): string {
  const text = blockText(processor.parse(markdown))
  return text === '' ? '' : `${text}\n`
}
