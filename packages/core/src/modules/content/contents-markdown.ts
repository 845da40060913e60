import { documentOf, frontMatter, inline, link } from '../../kernel/markdown.ts'
import type { CategoryEntry, PageEntry } from './contents-document.ts'

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

function priceText({ gated, price }: PageEntry): string {
  if (!gated) return ''
  if (!price) return ' (limited access)'
  const per = price.per === 'once' ? 'once' : `per ${price.per}`
  return ` (${price.amount} ${price.currency.toUpperCase()} ${per})`
}

const pageLine = (page: PageEntry) =>
  `- ${link(page.title, page.url)}${priceText(page)}${page.excerpt ? `: ${inline(page.excerpt)}` : ''}`

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

function categoryLines({ name, url, description, pages, categories }: CategoryEntry): string[] {
  const said = description ? `: ${inline(description)}` : ''
  const inside = [...pages.map(pageLine), ...categories.flatMap(categoryLines)]
  return [`- Category ${link(name, url)}${said}`, ...indented(inside)]
}

/** A table of contents for reading. What its owner wrote is escaped, so that every link here is ours. */
export function contentsMarkdown(contents: ContentsText): string {
  const { name, url, did, total, description, pages, categories, nextUrl } = contents
  const lines = [...pages.map(pageLine), ...categories.flatMap(categoryLines)]
  return documentOf(
    frontMatter({ title: `Contents of ${name}`, url, did, total }),
    `# Contents of ${inline(name)}`,
    description ? inline(description) : '',
    lines.length > 0 ? lines.join('\n') : 'Nothing is published here.',
    nextUrl ? link('More pages', nextUrl) : '',
  )
}
