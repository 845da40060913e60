import { foldWord, type MarkedText, type TextToken, tokensOf } from '@eep/core/ports'
import { createFolder } from './tokens.ts'

/** What to mark: stems and words as the index has them. */
export interface Marks {
  /** Whole words. */
  readonly words: ReadonlySet<string>
  /** Words begin with one of these. */
  readonly prefixes: readonly string[]
  /** Stems: the word may end in a few other letters. */
  readonly stems: readonly string[]
}

/** The length of a snippet, in UTF-16 code units. */
const LENGTH = 240
/** The position of the first match in a snippet. */
const LEAD = 60
/** Endings that inflect a word are not longer. */
const MAX_ENDING = 5
const MAX_RANGES = 20

type Range = readonly [start: number, end: number]

/** Marks as words are compared with them. */
interface Compared extends Marks {
  /** The beginnings of words with these stems, and how long such words are at most. */
  readonly roots: readonly (readonly [root: string, maxLength: number])[]
}

const comparedOf = (marks: Marks): Compared => ({
  ...marks,
  // Stems of accented words have accents. A stem may end in another letter than the word: happi, happy.
  roots: marks.stems
    .map(foldWord)
    .map((stem) => [stem.length > 4 ? stem.slice(0, -1) : stem, stem.length + MAX_ENDING] as const),
})

function isMarked(word: string, { words, prefixes, roots }: Compared): boolean {
  if (words.has(word)) return true
  for (const prefix of prefixes) if (word.startsWith(prefix)) return true
  for (const [root, maxLength] of roots) if (word.length <= maxLength && word.startsWith(root)) return true
  return false
}

/** The positions of the words of a query in a run of characters without spaces. */
function rangesInRun(
  { word, start, end }: TextToken,
  { words, prefixes }: Marks,
): readonly (readonly [number, number])[] {
  // Folding a run may change its length; then the whole run is marked.
  const isAligned = word.length === end - start
  const found: [number, number][] = []
  for (const wanted of [...words, ...prefixes]) {
    for (let at = word.indexOf(wanted); wanted !== '' && at >= 0; at = word.indexOf(wanted, at + 1)) {
      found.push(isAligned ? [start + at, start + at + wanted.length] : [start, end])
    }
  }
  return found
}

/** The parts of a text that match, in order and without overlaps; those that begin at most `within` after the first one. */
function rangesIn(
  text: string,
  marks: Compared,
  folded: (word: string) => string,
  within = Number.POSITIVE_INFINITY,
): readonly Range[] {
  const found: Range[] = []
  let end = Number.POSITIVE_INFINITY
  for (const token of tokensOf(text, folded)) {
    if (token.start > end) break
    if (token.isUnspaced) found.push(...rangesInRun(token, marks))
    else if (token.joined && isMarked(token.joined.word, marks)) found.push([token.start, token.joined.end])
    else if (isMarked(token.word, marks)) found.push([token.start, token.end])
    if (found.length > MAX_RANGES * 2) break
    const [first] = found
    if (first) end = first[0] + within
  }
  found.sort((one, other) => one[0] - other[0])
  const joined: [number, number][] = []
  for (const [start, end] of found) {
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined.slice(0, MAX_RANGES)
}

const SPACE = /\s/u
const LOW_SURROGATE = /[\udc00-\udfff]/

/** The nearest place before a position, at most 30 characters away, where a word begins. */
function startOfWord(text: string, position: number): number {
  for (let at = position; at > Math.max(0, position - 30); at -= 1) if (SPACE.test(text[at - 1] ?? ' ')) return at
  return LOW_SURROGATE.test(text[position] ?? '') ? position + 1 : position
}

/** The part of the first text that matches, with its first matches, on one line; else the beginning of the first text. */
function snippetOf(texts: readonly string[], rangesOf: (text: string) => readonly Range[]): MarkedText {
  let text = texts.find((each) => each !== '') ?? ''
  let ranges: readonly Range[] = []
  for (const each of texts) {
    ranges = rangesOf(each)
    if (ranges.length === 0) continue
    text = each
    break
  }
  const first = ranges[0]?.[0] ?? 0
  const start = first <= LEAD ? 0 : startOfWord(text, first - LEAD)
  let end = Math.min(text.length, start + LENGTH)
  if (end < text.length) end = Math.max(start + LENGTH / 2, startOfWord(text, end))
  const part = text.slice(start, end).replace(/\s/gu, ' ').trimEnd()
  const before = start > 0 ? '… ' : ''
  const after = end < text.trimEnd().length ? ' …' : ''
  const shift = before.length - start
  return {
    text: `${before}${part}${after}`,
    ranges: ranges.filter(([, to]) => to <= start + part.length).map(([from, to]) => [from + shift, to + shift]),
  }
}

/** Marks titles and creates snippets when they are first read, because only a few of many hits are shown. */
export function createMarker(given: Marks) {
  const folded = createFolder()
  const marks = comparedOf(given)

  return (text: string, snippetTexts: readonly string[]) => {
    let title: MarkedText | undefined
    let snippet: MarkedText | undefined
    return {
      get title(): MarkedText {
        title ??= { text, ranges: rangesIn(text, marks, folded) }
        return title
      },
      get snippet(): MarkedText {
        snippet ??= snippetOf(snippetTexts, (each) => rangesIn(each, marks, folded, LENGTH))
        return snippet
      },
    }
  }
}
