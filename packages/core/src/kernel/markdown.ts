import { stringify } from 'yaml'

/**
 * Writing what people say into Markdown so that it stays what they say: it reads the same, and becomes no heading,
 * link, list, table, HTML, rule, fence, front matter or section of ours.
 */

// What begins or ends a construct anywhere in a line.
const ANYWHERE = /[\\`*_[\]<>|~]/g
const ENTITY = /&(?=#|[A-Za-z][A-Za-z0-9]*;)/g
// What begins a construct at the start of a line: heading, quote, list, setext underline, rule, front matter, fence.
const AT_START = /^(?:[#>+\-=:]|\d{1,9}(?=[.)](?:\s|$)))/
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
// Invisible marks that make text show in another order than it is written.
const REORDERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const CONTROL = /[^\P{Cc}\n\t]/gu

/** Without the invisible marks that make text show in another order. */
export const withoutTricks = (text: string) => text.replaceAll(REORDERING, '')

/** One line; its start is treated as the start of a line, because after `- ` or `# ` it is one. */
export function inline(text: string): string {
  const plain = withoutTricks(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const escaped = plain.replaceAll(ANYWHERE, '\\$&').replaceAll(ENTITY, '\\&')
  return escaped.replace(AT_START, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`))
}

/** Text of several lines: paragraphs stay paragraphs and lines stay lines. */
export const paragraphs = (text: string): string =>
  text
    .split(LINE_END)
    .map(inline)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Verbatim text, in a fence that is longer than any inside. */
export function fenced(text: string): string {
  const body = withoutTricks(text).split(LINE_END).join('\n').replaceAll(CONTROL, '')
  const longest = Math.max(0, ...[...body.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}text\n${body}\n${fence}`
}

/** A link with a label; the address cannot end early. */
export const link = (label: string, url: string): string =>
  `[${inline(label)}](<${url.replaceAll(/[\s\p{Cc}<>\\]/gu, encodeURIComponent)}>)`

export const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

/** A section, or nothing when it has no body. */
export const section = (title: string, body: string): string[] => (body === '' ? [] : [`## ${title}\n\n${body}`])

/** A numbered list. */
export const steps = (items: readonly string[]): string =>
  items.map((item, index) => `${index + 1}. ${item}`).join('\n')

/** YAML between two rules. What users wrote is a quoted scalar in it and cannot end it. */
export const frontMatter = (fields: Readonly<Record<string, unknown>>): string =>
  `---\n${stringify(fields, { lineWidth: 0 })}---`

/** A document of these parts; those that say nothing are left out. */
export const documentOf = (...parts: readonly string[]): string => `${parts.filter(Boolean).join('\n\n')}\n`
