/** The text of a Markdown document, for the index. */
export interface PageText {
  readonly headings: readonly string[]
  readonly text: string
}

const HEADING = /^ {0,3}#{1,6}[ \t]+([^\n]*)$/gmu
const MAX_HEADINGS = 200

// Each pattern matches within one line and without nesting, so that the time is linear in the length of the text.
const STEPS: readonly (readonly [RegExp, string])[] = [
  // Code fences with their info strings.
  [/^ {0,3}(?:`{3,}|~{3,})[^\n]*$/gmu, ' '],
  [/<\/?[a-z][^<>\n]{0,1000}>/giu, ' '],
  // Keeps the alternative text of images and the label of links.
  [/!?\[([^[\]\n]{0,1000})\]\([^()\n]{0,2000}\)/gu, '$1'],
  [/^ {0,3}\[[^[\]\n]{1,200}\]:[^\n]*$/gmu, ' '],
  [/^ {0,3}#{1,6}[ \t]+/gmu, ''],
  [/^[ \t]*(?:>[ \t]?)+/gmu, ''],
  [/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/gmu, ''],
  [/^[-=*_|: \t]{3,}$/gmu, ' '],
  [/[*~`]{1,3}|(?<![\p{L}\p{N}])_{1,3}|_{1,3}(?![\p{L}\p{N}])/gu, ''],
  [/\\([\\`*_{}[\]()#+\-.!|>~])/gu, '$1'],
  [/\|/gu, ' '],
  [/\s+/gu, ' '],
]

/** Removes comments. An expression would read the rest of the text again for each one that does not end. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end < 0) break
    parts.push(text.slice(at, start))
    at = end + 3
  }
  parts.push(text.slice(at))
  return parts.join(' ')
}

/**
 * Returns the words and headings of a Markdown text. It is not a parser: leftover syntax is harmless in an index, and it takes a
 * fraction of the time, which matters because every change of a page is indexed.
 */
export function pageTextOf(markdown: string): PageText {
  const plain = (text: string) => STEPS.reduce((rest, [pattern, by]) => rest.replaceAll(pattern, by), text).trim()
  const shown = withoutComments(markdown)
  const headings = [...shown.matchAll(HEADING)].slice(0, MAX_HEADINGS).map(([, text = '']) => plain(text))
  return { headings: headings.filter((text) => text !== ''), text: plain(shown) }
}
