import { stringify } from 'yaml'
import { splitAtLinks } from './text-links.ts'

/**
 * Writes user text into Markdown as plain text: it reads the same, and cannot become a heading, link, list, table, HTML,
 * rule, fence, front matter or a section of the document around it.
 */

// Begins or ends a construct anywhere in a line.
const ANYWHERE = /[\\`*_[\]<>|~]/g
const ENTITY = /&(?=#|[A-Za-z][A-Za-z0-9]*;)/g
// Begins a construct at the start of a line: heading, quote, list, setext underline, rule, front matter, fence.
const AT_START = /^(?:[#>+\-=:]|\d{1,9}(?=[.)](?:\s|$)))/
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
// Invisible characters that change the order in which text is displayed.
const REORDERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const CONTROL = /[^\P{Cc}\n\t]/gu

/** Removes the invisible characters that change the order in which text is displayed. */
export const withoutTricks = (text: string) => text.replaceAll(REORDERING, '')

const escaped = (plain: string): string => plain.replaceAll(ANYWHERE, '\\$&').replaceAll(ENTITY, '\\&')

/**
 * Escapes text for one line. The start of the text is escaped like the start of a line, because it is one after `- ` or
 * `# `.
 */
export function inline(text: string): string {
  const plain = withoutTricks(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return escaped(plain).replace(AT_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
}

const joinLines = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Escapes multi-line text. Paragraphs and line breaks are kept. */
export const paragraphs = (text: string): string => joinLines(text.split(LINE_END).map(inline))

/** A line whose links are autolinks, so that they end where they ended in the text. */
const lineWithLinks = (line: string): string => {
  const parts = splitAtLinks(withoutTricks(line).replaceAll(/[\s\p{Cc}]+/gu, ' '))
  if (parts.length === 1) return inline(line)
  const written = parts.map(({ text, link: found }, index) => {
    if (found) return `<${found.text}>`
    const [before, after] = [
      index > 0 && text.startsWith(' ') ? ' ' : '',
      text.endsWith(' ') && text !== ' ' ? ' ' : '',
    ]
    // Only the first part begins a line.
    return `${before}${index === 0 ? inline(text) : escaped(text.trim())}${after}`
  })
  return written.join('').trim()
}

/** Escapes multi-line text like {@link paragraphs}. Its web URLs become autolinks, `<https://…>`. */
export const paragraphsWithLinks = (text: string): string => joinLines(text.split(LINE_END).map(lineWithLinks))

/** Verbatim text, in a fence that is longer than any fence in it. Default language: `text`. */
export function fenced(text: string, language: 'text' | 'json' = 'text'): string {
  const body = withoutTricks(text).split(LINE_END).join('\n').replaceAll(CONTROL, '')
  const longest = Math.max(0, ...[...body.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${body}\n${fence}`
}

/** A link with a label. The URL is escaped so that it cannot end early. */
export const link = (label: string, url: string): string =>
  `[${inline(label)}](<${url.replaceAll(/[\s\p{Cc}<>\\]/gu, encodeURIComponent)}>)`

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** A section, or nothing when its body is empty. */
export const section = (title: string, body: string): string[] => (body === '' ? [] : [`## ${title}\n\n${body}`])

/** A numbered list. */
export const steps = (items: readonly string[]): string =>
  items.map((item, index) => `${index + 1}. ${item}`).join('\n')

/**
 * YAML front matter. Every text is a quoted scalar, which cannot end the front matter and which readers of YAML 1.1 take for a text
 * too, whatever it looks like: `no`, `2024-01-01`, `1_000`.
 */
export const frontMatter = (fields: Readonly<Record<string, unknown>>): string =>
  `---\n${stringify(fields, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' })}---`

/** Joins the parts of a document and skips empty ones. */
export const documentOf = (...parts: readonly string[]): string => `${parts.filter(Boolean).join('\n\n')}\n`
