import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { parsePost } from './post-text.ts'

/** Constructs in which a URL would not be a link, or in which one link would hold another. */
const DISABLED = [
  'attention',
  'autolink',
  'blockQuote',
  'characterEscape',
  'characterReference',
  'codeFenced',
  'codeIndented',
  'codeText',
  'definition',
  'gfmFootnoteCall',
  'gfmFootnoteDefinition',
  'headingAtx',
  'htmlFlow',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
  'list',
  'setextUnderline',
  'strikethrough',
  'table',
  'tasklistCheck',
  'thematicBreak',
]

function asPlainText(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ disable: { null: DISABLED } })
}

const processor = unified().use(remarkParse).use(remarkGfm).use(asPlainText)
type Node = ReturnType<typeof processor.parse> | ReturnType<typeof processor.parse>['children'][number]

/** Without one of these, nothing is linked. */
const MAYBE_LINK = /:\/\/|www\.|@/i

const linksIn = (node: Node): number =>
  node.type === 'link' ? 1 : 'children' in node ? node.children.reduce((sum, child) => sum + linksIn(child), 0) : 0

/**
 * Counts the links of a post: its link entities, or what readers of Markdown link in it as plain text (`https://…`, `www.…`, addresses
 * of email), whichever is more.
 */
export function countLinks(body: string): number {
  if (!MAYBE_LINK.test(body)) return 0
  const entities = parsePost(body).entities.filter(({ type }) => type === 'link').length
  return Math.max(entities, linksIn(processor.parse(body)))
}
