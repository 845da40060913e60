/** A text to rank. */
export interface Ranked {
  readonly id: number
  /** 0 to 1; 1 for the best one. */
  readonly score: number
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** How soon further occurrences of a word count less, and how much longer texts count less, as usual for BM25. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** The words of a text, without case and accents. */
export const wordsOf = (text: string): readonly string[] =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().match(WORD) ?? []

/**
 * Ranks texts by the words of a query (BM25), in the process, for texts that no index may store. A text that has none of the words is
 * left out. Inflected forms are other words.
 *
 * @param isAny - whether one of the words is enough, else all of them must be in a text
 */
export function rankEntries(
  entries: readonly { readonly id: number; readonly text: string }[],
  query: string,
  isAny: boolean,
): readonly Ranked[] {
  const wanted = [...new Set(wordsOf(query))]
  if (wanted.length === 0) return []
  const counted = entries.map(({ id, text }) => {
    const counts = new Map(wanted.map((word) => [word, 0]))
    const words = wordsOf(text)
    for (const word of words) {
      const count = counts.get(word)
      if (count !== undefined) counts.set(word, count + 1)
    }
    return { id, length: words.length, counts }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length)
  const weights = wanted.map((word) => {
    const having = counted.filter(({ counts }) => (counts.get(word) ?? 0) > 0).length
    return { word, weight: Math.log(1 + (counted.length - having + 0.5) / (having + 0.5)) }
  })
  const scored = counted
    .filter(({ counts }) => {
      const found = [...counts.values()].filter((count) => count > 0).length
      return isAny ? found > 0 : found === wanted.length
    })
    .map(({ id, length, counts }) => {
      const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (length / Math.max(1, average)))
      const score = weights.reduce((sum, { word, weight }) => {
        const count = counts.get(word) ?? 0
        return sum + (weight * count * (SATURATION + 1)) / (count + norm)
      }, 0)
      return { id, score }
    })
    .sort((one, other) => other.score - one.score || other.id - one.id)
  const best = scored[0]?.score ?? 1
  return scored.map(({ id, score }) => ({ id, score: score / best }))
}
