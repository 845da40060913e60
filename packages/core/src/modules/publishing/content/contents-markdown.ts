import { documentOf, frontMatter, inline, link } from '../../../kernel/markdown.ts'
import { priceText } from '../../../model/price-text.ts'
import type { CategoryEntry, PageEntry } from './contents-entries.ts'

export interface ContentsText {
  readonly name: string
  readonly url: string
  readonly did: string
  readonly total: number
  readonly description: string | null
  readonly pages: readonly PageEntry[]
  readonly categories: readonly CategoryEntry[]
  readonly nextUrl: string | undefined
}

/** The requirements of a page. Undefined when it is free. */
const askedFor = ({ gated, price }: Pick<PageEntry, 'gated' | 'price'>): string | undefined =>
  gated ? (price ? priceText(price) : 'limited access') : undefined

function pageLine(page: PageEntry): string {
  const asked = askedFor(page)
  return `- ${link(page.title, page.url)}${asked ? ` (${asked})` : ''}${page.excerpt ? `: ${inline(page.excerpt)}` : ''}`
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

function categoryLines({ name, url, description, pages, categories }: CategoryEntry): string[] {
  const said = description ? `: ${inline(description)}` : ''
  const inside = [...pages.map(pageLine), ...categories.flatMap(categoryLines)]
  return [`- Category ${link(name, url)}${said}`, ...indented(inside)]
}

/** The title of a table of contents, in each format for programs. */
export const titleOfContents = (name: string): string => `Contents of ${name}`

/** A table of contents as Markdown. Texts of its owner are escaped, so that they cannot add links. */
export function contentsMarkdown(contents: ContentsText): string {
  const { name, url, did, total, description, pages, categories, nextUrl } = contents
  const lines = [...pages.map(pageLine), ...categories.flatMap(categoryLines)]
  return documentOf(
    frontMatter({ title: titleOfContents(name), url, did, total }),
    `# ${inline(titleOfContents(name))}`,
    description ? inline(description) : '',
    lines.length > 0 ? lines.join('\n') : 'Nothing is published here.',
    nextUrl ? link('More pages', nextUrl) : '',
  )
}
