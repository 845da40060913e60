import type { SearchDocument } from '../../../ports/search-index.ts'
import type { SearchPassage } from '../../../ports/search-vectors.ts'

/** About the length that models are trained for. */
const WORDS = 400
const OVERLAP = 40
/** Languages without spaces have longer words. */
const CHARACTERS = 3_000
/** Only the beginning of very long texts is embedded. */
const MAX_PASSAGES = 64
const MAX_LEAD = 600

const WORD = /\S{1,40}/gu

/** Splits a text into parts of about 400 words. Each part repeats the last 40 words of the previous one. */
function partsOf(text: string): readonly SearchPassage[] {
  const words = [...text.matchAll(WORD)].map(({ index, 0: word }) => ({ start: index, end: index + word.length }))
  const parts: SearchPassage[] = []
  for (let first = 0; first < words.length && parts.length < MAX_PASSAGES; ) {
    const start = words[first]?.start ?? 0
    let next = first + 1
    while (next < words.length && next - first < WORDS && (words[next]?.end ?? 0) - start <= CHARACTERS) next += 1
    parts.push({ text: text.slice(start, words[next - 1]?.end), start })
    if (next === words.length) break
    first = Math.max(first + 1, next - Math.min(OVERLAP, Math.floor((next - first) / 10)))
  }
  return parts
}

/** The passages of a document: parts of its body, each after the title, the first one also after the excerpt. */
export function passagesOf(
  document: Pick<SearchDocument, 'title' | 'keywords' | 'excerpt' | 'body'>,
): readonly SearchPassage[] {
  const { title, keywords, excerpt, body } = document
  const parts = partsOf(body)
  const lead = (...texts: readonly string[]) =>
    texts
      .map((text) => text.trim().slice(0, MAX_LEAD))
      .filter((text) => text !== '')
      .join('\n')
  const [first = { text: '', start: 0 }, ...others] = parts
  return [
    { ...first, text: lead(title, keywords.join(', '), excerpt, '').concat(first.text && `\n${first.text}`) },
    ...others.map(({ text, start }) => ({ start, text: `${lead(title)}\n${text}` })),
  ].filter(({ text }) => text.trim() !== '')
}
