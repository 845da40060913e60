import { setImmediate } from 'node:timers/promises'
import { queryTermsOf, tokensOf } from '../../../kernel/text-words.ts'

/** A text to rank. */
export interface Ranked {
  readonly id: number
  /** 0 to 1; 1 for the best one. */
  readonly score: number
}

/** How soon further occurrences of a word count less, and how much longer texts count less, as usual for BM25. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75

/** The characters to rank after normalization, which makes some texts 18 times as long. */
const MAX_CHARACTERS = 4_000_000
/** The characters between two pauses, in which other requests are handled. */
const TURN_CHARACTERS = 100_000

/** Separates compatibility characters and accents; the result may be much longer. */
const decompose = (text: string) => text.normalize('NFKD')

/** Counts the wanted words of a text, and all of its words: for scripts without spaces, its characters, and the pairs of them. */
function countWords(decomposed: string, wanted: readonly string[], partsOf: ReadonlyMap<string, readonly string[]>) {
  const counts = new Map(wanted.map((word) => [word, 0]))
  const count = (word: string) => {
    const before = counts.get(word)
    if (before !== undefined) counts.set(word, before + 1)
  }
  let length = 0
  for (const { word, isUnspaced, joined } of tokensOf(decomposed)) {
    if (!isUnspaced) {
      count(word)
      if (joined) count(joined.word)
      else for (const part of partsOf.get(word) ?? []) count(part)
      length += 1
      continue
    }
    let previous = ''
    for (const character of word) {
      count(character)
      if (previous !== '') count(previous + character)
      previous = character
      length += 1
    }
  }
  return { length, counts }
}

/** The words of a query that have joiners: their parts, by the word written without joiners. */
function joinedWordsOf(query: string): ReadonlyMap<string, readonly string[]> {
  const tokens = [...tokensOf(query)]
  return new Map(
    tokens.flatMap(({ start, joined }) =>
      joined
        ? [
            [
              joined.word,
              tokens.filter((token) => token.start >= start && token.end <= joined.end).map(({ word }) => word),
            ],
          ]
        : [],
    ),
  )
}

/**
 * Ranks texts by the first 32 words of a query (BM25), in the process, for texts that no index may store. A text that has none of the
 * words is left out. Inflected forms are other words. A run of a script
 * without spaces has each of its characters and each pair of neighbours as words. Pauses regularly, so that long texts do not hold up other requests.
 *
 * @param entries - read as far as they are ranked
 * @param isAny - whether one of the words is enough, else all of them must be in a text
 * @param maxCharacters - texts from the first one on that exceeds these together, normalized, are left out. Default: 4 million
 */
export async function rankEntries(
  entries: Iterable<{ readonly id: number; readonly text: string }>,
  query: string,
  isAny: boolean,
  maxCharacters = MAX_CHARACTERS,
): Promise<readonly Ranked[]> {
  const wanted = queryTermsOf(query).map(({ word }) => word)
  const partsOf = joinedWordsOf(query)
  if (wanted.length === 0) return []
  const counted: { readonly id: number; readonly length: number; readonly counts: ReadonlyMap<string, number> }[] = []
  let characters = 0
  let pauseAt = TURN_CHARACTERS
  for (const { id, text } of entries) {
    const decomposed = decompose(text)
    characters += decomposed.length
    if (characters > maxCharacters) break
    counted.push({ id, ...countWords(decomposed, wanted, partsOf) })
    if (characters < pauseAt) continue
    pauseAt = characters + TURN_CHARACTERS
    await setImmediate()
  }
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
