/** What a Markdown text says, for the index. */
export interface PageText {
  readonly headings: readonly string[]
  readonly text: string
}

const HEADING = /^ {0,3}#{1,6}[ \t]+([^\n]*)$/gmu
const MAX_HEADINGS = 200

// Each of these matches within one line and without nesting, so that the time is linear in the length of the text.
const STEPS: readonly (readonly [RegExp, string])[] = [
  // Fences and what is said of their language.
  [/^ {0,3}(?:`{3,}|~{3,})[^\n]*$/gmu, ' '],
  [/<\/?[a-z][^<>\n]{0,1000}>/giu, ' '],
  [/<!--[^\n]{0,1000}?-->/gu, ' '],
  // Of an image its alternative text, of a link its label.
  [/!?\[([^[\]\n]{0,1000})\]\([^()\n]{0,2000}\)/gu, '$1'],
  [/^ {0,3}\[[^[\]\n]{1,200}\]:[^\n]*$/gmu, ' '],
  [/^ {0,3}#{1,6}[ \t]+/gmu, ''],
  [/^[ \t]*(?:>[ \t]?)+/gmu, ''],
  [/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/gmu, ''],
  [/^[ \t]*[-=*_|: \t]{3,}$/gmu, ' '],
  [/[*~`]{1,3}|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu, ''],
  [/\\([\\`*_{}[\]()#+\-.!|>~])/gu, '$1'],
  [/\|/gu, ' '],
  [/\s+/gu, ' '],
]

/**
 * The words of Markdown, and its headings. It is not a parser: what it leaves of the syntax does no harm, and it takes a fraction
 * of the time, because every change of a page is indexed.
 */
export function pageTextOf(markdown: string): PageText {
  const plain = (text: string) => STEPS.reduce((rest, [pattern, by]) => rest.replaceAll(pattern, by), text).trim()
  const headings = [...markdown.matchAll(HEADING)].slice(0, MAX_HEADINGS).map(([, text = '']) => plain(text))
  return { headings: headings.filter((text) => text !== ''), text: plain(markdown) }
}
