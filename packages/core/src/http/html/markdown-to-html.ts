import type { Element, ElementContent, Root } from 'hast'
import rehypeSanitize, { defaultSchema, type Options as Schema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { textOf, visitElements } from '../../kernel/hast.ts'
import { keepMath } from './math-text.ts'

export interface MarkdownJob {
  readonly markdown: string
  /** URLs that start with it belong to the service; in the page they start with `basePath` instead. */
  readonly publicUrl: string
  readonly basePath: string
  /**
   * Whether images from other origins are loaded. Otherwise they become links, because loading one reveals the reader's
   * address.
   */
  readonly remoteImages?: boolean | undefined
  /** The heading of the page, outside the text; undefined when the text contains it. */
  readonly title?: string | undefined
}

export interface Section {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface RenderedMarkdown {
  readonly markup: string
  readonly sections: readonly Section[]
}

/**
 * The permitted elements and attributes. HTML in a text stays text, so all ids are generated here, for footnotes and
 * headings.
 */
const SCHEMA: Schema = {
  ...defaultSchema,
  clobber: [],
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
}

const HEADING = /^h([1-6])$/
const slugOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 64)
    .replaceAll(/^-|-$/g, '') || 'section'

const element = (tagName: string, properties: Element['properties'], children: ElementContent[]): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
})

const levelOf = (node: Element): number | undefined => {
  const level = HEADING.exec(node.tagName)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** Returns the headings of a text, except those in quotes and lists, and one that repeats the title. */
function headingsOf(tree: Root, title: string | undefined): Element[] {
  const opening = tree.children.find((node) => node.type === 'element')
  if (opening?.tagName === 'h1' && title !== undefined && textOf(opening).trim() === title.trim()) {
    tree.children.splice(tree.children.indexOf(opening), 1)
  }
  return tree.children.filter((node) => node.type === 'element' && levelOf(node) !== undefined) as Element[]
}

/** Moves headings below the level of the title, and adds an id and an anchor link. Returns them in order. */
function placeHeadings(tree: Root, title: string | undefined): Section[] {
  const headings = headingsOf(tree, title)
  const highest = Math.min(...headings.map((node) => levelOf(node) ?? 1))
  const shift = (title === undefined ? 1 : 2) - highest
  const used = new Map<string, number>()
  return headings.map((node) => {
    const depth = Math.min(6, (levelOf(node) ?? 1) + shift)
    const text = textOf(node).trim()
    const slug = slugOf(text)
    const count = (used.get(slug) ?? 0) + 1
    used.set(slug, count)
    // The prefix prevents collisions with ids of the page around the text.
    const id = count === 1 ? `s-${slug}` : `s-${slug}_${count}`
    node.tagName = `h${depth}`
    node.properties.id = id
    if (depth > 1) {
      const anchor = { className: ['anchor'], href: `#${id}`, ariaHidden: 'true', tabIndex: -1 }
      node.children.push(element('a', anchor, [{ type: 'text', value: '#' }]))
    }
    return { id, text, depth }
  })
}

function placeLink({ properties }: Element, { publicUrl, basePath }: MarkdownJob): void {
  const { href } = properties
  if (typeof href !== 'string' || href.startsWith('#')) return
  if (!URL.canParse(href, publicUrl)) {
    delete properties.href
    return
  }
  const { origin, protocol } = new URL(href, publicUrl)
  if (origin !== new URL(publicUrl).origin) properties.rel = ['nofollow', 'ugc', 'noopener']
  else if (protocol.startsWith('http') && href.startsWith(`${publicUrl}/`)) {
    properties.href = `${basePath}${href.slice(publicUrl.length)}`
  }
}

type Image =
  | { readonly is: 'shown'; readonly src: string }
  | { readonly is: 'linked'; readonly href: string }
  | { readonly is: 'described' }

/** Images of this service are shown; images from other origins only if the host allows it. */
function imageOf(src: unknown, { publicUrl, basePath, remoteImages }: MarkdownJob): Image {
  if (typeof src !== 'string' || !URL.canParse(src, publicUrl)) return { is: 'described' }
  const { origin, protocol, href } = new URL(src, publicUrl)
  if (src.startsWith(`${publicUrl}/`)) return { is: 'shown', src: `${basePath}${src.slice(publicUrl.length)}` }
  if (origin === new URL(publicUrl).origin) return { is: 'shown', src }
  if (protocol !== 'https:') return { is: 'described' }
  return remoteImages ? { is: 'shown', src } : { is: 'linked', href }
}

const MAX_LABEL = 200

/** Blocks in an item, which may contain further tasks. */
const BLOCKS: ReadonlySet<string> = new Set(['ul', 'ol', 'blockquote', 'pre', 'table', 'p', 'div', 'section'])

/** The text of a task, without that of the blocks below it. */
const taskText = (parent: Element | Root): string =>
  parent.children
    .filter((node) => !(node.type === 'element' && BLOCKS.has(node.tagName)))
    .map((node) => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node) : ''))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LABEL)

function dress(tree: Root, job: MarkdownJob): void {
  visitElements(tree, (node, index, parent) => {
    if (node.tagName === 'a') placeLink(node, job)
    // The generated heading of the footnotes is unique and never in a quote.
    if (node.tagName === 'h1' && parent.type !== 'root') node.tagName = 'h2'
    if (node.tagName === 'img') {
      const { alt, title } = node.properties
      const image = imageOf(node.properties.src, job)
      if (image.is === 'described') {
        parent.children[index] = { type: 'text', value: String(alt ?? '') }
        return false
      }
      if (image.is === 'linked') {
        const label = String(alt ?? '') || new URL(image.href).host
        const text = { type: 'text' as const, value: label }
        const isInLink = parent.type === 'element' && parent.tagName === 'a'
        const rel = ['nofollow', 'ugc', 'noopener']
        parent.children[index] = isInLink ? text : element('a', { href: image.href, rel, title }, [text])
        return false
      }
      node.properties = {
        src: image.is === 'shown' ? image.src : undefined,
        alt: alt ?? '',
        title,
        loading: 'lazy',
        decoding: 'async',
        referrerPolicy: 'no-referrer',
      }
    }
    if (node.tagName === 'input') node.properties.ariaLabel = taskText(parent) || undefined
    if (node.tagName === 'pre') node.properties.tabIndex = 0
    if (node.tagName === 'table') {
      const frame = { className: ['wide'], role: 'region', ariaLabel: 'Table', tabIndex: 0 }
      parent.children[index] = element('div', frame, [node])
    }
    return undefined
  })
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(keepMath)
  .use(remarkRehype, { handlers: { html: (_state, { value }: { value: string }) => ({ type: 'text', value }) } })
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeStringify)
  .freeze()

/** Converts Markdown to markup that cannot run code, loads nothing but images, and stays within its element. */
export function markdownToHtml(job: MarkdownJob): RenderedMarkdown {
  const tree = processor.runSync(processor.parse(job.markdown))
  const sections = placeHeadings(tree, job.title)
  dress(tree, job)
  return { markup: processor.stringify(tree), sections }
}
