import GithubSlugger from 'github-slugger'
import type { Element, ElementContent, Root } from 'hast'
import rehypeSanitize, { defaultSchema, type Options as Schema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { textOf, visitElements } from '../../kernel/hast.ts'
import { pathBelow } from '../../kernel/public-url.ts'
import { IMAGE_WIDTHS } from '../../model/image-widths.ts'
import { keepMath } from './math-text.ts'

/** Width and height of images by the ids of their files. */
export type ImageSizes = Readonly<Record<number, readonly [width: number, height: number]>>

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
  /** Width and height of images of this service by the ids of their files, so that text does not move when they load. */
  readonly imageSizes?: ImageSizes | undefined
  /** Whether images whose size is known are also loaded in smaller ones. Default: false. */
  readonly hasSizes?: boolean | undefined
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
  /** The id for the heading of the page, when the text begins with the same heading, which is then omitted. */
  readonly titleId?: string | undefined
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
/** Prevents collisions with ids of the page around the text. */
const ID_PREFIX = 's-'
/** The ids of footnotes, which remark-rehype makes. */
const FOOTNOTE_PREFIX = 'user-content-'
/** A page of a profile, whose headings have ids like those here. */
const CONTENT_PAGE = /^\/[a-z]+\/[^/?#]+\/content\/[^?#]+/

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

interface Headings {
  readonly sections: readonly Section[]
  readonly titleId?: string | undefined
}

/** Removes a first heading that repeats the title, and returns it. */
function takeTitle(tree: Root, title: string | undefined): Element | undefined {
  const opening = tree.children.find((node) => node.type === 'element')
  if (opening?.tagName !== 'h1' || title === undefined || textOf(opening).trim() !== title.trim()) return undefined
  tree.children.splice(tree.children.indexOf(opening), 1)
  return opening
}

/**
 * Moves headings below the level of the title, and adds an id, as on GitHub after a prefix, and an anchor link. Headings in quotes
 * and lists have none.
 */
function placeHeadings(tree: Root, title: string | undefined): Headings {
  const slugger = new GithubSlugger()
  const idOf = (node: Element) => `${ID_PREFIX}${slugger.slug(textOf(node).trim())}`
  const taken = takeTitle(tree, title)
  const titleId = taken && idOf(taken)
  const headings = tree.children.filter((node) => node.type === 'element' && levelOf(node) !== undefined) as Element[]
  const highest = Math.min(...headings.map((node) => levelOf(node) ?? 1))
  const shift = (title === undefined ? 1 : 2) - highest
  const sections = headings.map((node) => {
    const depth = Math.min(6, (levelOf(node) ?? 1) + shift)
    const text = textOf(node).trim()
    const id = idOf(node)
    node.tagName = `h${depth}`
    node.properties.id = id
    if (depth > 1) {
      const anchor = { className: ['anchor'], href: `#${id}`, ariaHidden: 'true', tabIndex: -1 }
      node.children.push(element('a', anchor, [{ type: 'text', value: '#' }]))
    }
    return { id, text, depth }
  })
  return { sections, titleId }
}

/** The ids of a text by the fragments that lead to them, as GitHub has them: exact, or else without case. */
function fragmentsOf({ sections, titleId }: Headings): ReadonlyMap<string, string> {
  const ids = [...(titleId === undefined ? [] : [titleId]), ...sections.map(({ id }) => id)]
  const fragments = new Map(ids.map((id) => [id.slice(ID_PREFIX.length), id]))
  for (const [fragment, id] of [...fragments]) {
    const folded = fragment.toLowerCase()
    if (!fragments.has(folded)) fragments.set(folded, id)
  }
  return fragments
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The fragment of a link within the text, to an id that exists; otherwise as it was written. */
function placeFragment(href: string, fragments: ReadonlyMap<string, string>): string {
  const fragment = decoded(href.slice(1))
  const id = fragments.get(fragment) ?? fragments.get(fragment.toLowerCase())
  return id === undefined ? href : `#${id}`
}

/** A path of the service; a fragment on another page of content gets the prefix that the ids there have. */
function placePath(path: string): string {
  const mark = path.indexOf('#')
  const fragment = path.slice(mark + 1)
  if (mark < 0 || fragment === '' || !CONTENT_PAGE.test(path)) return path
  if (fragment.startsWith(ID_PREFIX) || fragment.startsWith(FOOTNOTE_PREFIX)) return path
  return `${path.slice(0, mark)}#${ID_PREFIX}${fragment}`
}

function placeLink({ properties }: Element, job: MarkdownJob, fragments: ReadonlyMap<string, string>): void {
  const { href } = properties
  const { publicUrl, basePath } = job
  if (typeof href !== 'string') return
  if (href.startsWith('#')) {
    properties.href = placeFragment(href, fragments)
    return
  }
  if (!URL.canParse(href, publicUrl)) {
    delete properties.href
    return
  }
  const path = pathBelow(publicUrl, href)
  if (path !== undefined) properties.href = `${basePath}${placePath(path) || '/'}`
  else if (new URL(href, publicUrl).origin !== new URL(publicUrl).origin) {
    properties.rel = ['nofollow', 'ugc', 'noopener']
  } else properties.href = placePath(href)
}

type Image =
  | { readonly is: 'shown'; readonly src: string }
  | { readonly is: 'linked'; readonly href: string }
  | { readonly is: 'described' }

/** Images of this service are shown; images from other origins only if the host allows it. */
function imageOf(src: unknown, { publicUrl, basePath, remoteImages }: MarkdownJob): Image {
  if (typeof src !== 'string' || !URL.canParse(src, publicUrl)) return { is: 'described' }
  const { origin, protocol, href } = new URL(src, publicUrl)
  const path = pathBelow(publicUrl, src)
  if (path) return { is: 'shown', src: `${basePath}${path}` }
  if (origin === new URL(publicUrl).origin) return { is: 'shown', src }
  if (protocol !== 'https:') return { is: 'described' }
  return remoteImages ? { is: 'shown', src } : { is: 'linked', href }
}

const FILE = /^\/files\/(\d{1,15})(\?key=[\w-]+)?($|[/?#&])/
/** Of the column for reading. */
const PLACE = '(min-width: 44.5rem) 42rem, 100vw'

/** The size of an image of this service, where it is known, and the smaller ones in which it can be loaded. */
function sizeOf(src: string, { basePath, imageSizes, hasSizes }: MarkdownJob) {
  const [, id, key = '', more] = FILE.exec(src.startsWith(`${basePath}/`) ? src.slice(basePath.length) : src) ?? []
  const size = id === undefined ? undefined : imageSizes?.[Number(id)]
  if (!size) return undefined
  const [width, height] = size
  if (!hasSizes || more !== '' || width <= IMAGE_WIDTHS.small) return { width, height }
  const path = `${basePath}/files/${id}`
  const { small, large } = IMAGE_WIDTHS
  const srcSet = `${path}/small${key} ${small}w, ${path}/large${key} ${Math.min(large, width)}w`
  return { width, height, srcSet, sizes: PLACE }
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

function dress(tree: Root, job: MarkdownJob, fragments: ReadonlyMap<string, string>): void {
  visitElements(tree, (node, index, parent) => {
    if (node.tagName === 'a') placeLink(node, job, fragments)
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
        src: image.src,
        ...sizeOf(image.src, job),
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
  const headings = placeHeadings(tree, job.title)
  dress(tree, job, fragmentsOf(headings))
  return { markup: processor.stringify(tree), ...headings }
}
