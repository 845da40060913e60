import type { Root } from 'hast'
import rehypeParse from 'rehype-parse'
import rehypeRemark, { type Options } from 'rehype-remark'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { visitElements } from '../../kernel/hast.ts'
import { decodeText, type ReadText } from './text.ts'

/** The elements that are converted: none that run code, and no URLs except those of links. */
const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  // Column spans are left out, because a cell may claim any number.
  attributes: {
    a: ['href'],
    code: [['className', /^language-./]],
    img: ['alt'],
    input: ['checked', 'disabled', 'type'],
  },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: [
    'script',
    'style',
    'head',
    'iframe',
    'object',
    'embed',
    'noscript',
    'template',
    'svg',
    'math',
    'select',
    'textarea',
    'audio',
    'video',
    'canvas',
  ],
}

/** Replaces images by their alternative text. */
const HANDLERS: NonNullable<Options['handlers']> = {
  img: (_, { properties }) =>
    typeof properties.alt === 'string' && properties.alt.trim() !== ''
      ? { type: 'text', value: properties.alt.trim() }
      : undefined,
}

const LEADS_SOMEWHERE = /^(https?:\/\/|mailto:)/i

/** Links within the document are removed. */
const withoutDeadLinks = () => (tree: Root) =>
  visitElements(tree, (node) => {
    if (node.tagName === 'a' && !LEADS_SOMEWHERE.test(String(node.properties.href ?? ''))) node.tagName = 'span'
    return undefined
  })

const converter = unified()
  .use(rehypeParse)
  .use(rehypeSanitize, SCHEMA)
  .use(withoutDeadLinks)
  .use(rehypeRemark, { handlers: HANDLERS })
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: '-', rule: '-' })

export const htmlToMarkdown = (html: string): string => String(converter.processSync(html))

/** The text of a page. */
export const fromHtml = (bytes: Uint8Array, encoding?: string): ReadText => ({
  markdown: htmlToMarkdown(decodeText(bytes, encoding)),
})
