import { correctionsOf, isCorrectable, type KnownWord } from './corrections.ts'
import type { Marks } from './snippet.ts'
import type { QueriedTerm, QueriedWords } from './statements.ts'

const LEXEME = /'((?:[^']|'')*)'(?::\*)?/g

/** The words to mark in texts for a query: its words, and their stems as PostgreSQL parsed them. */
export function marksOf({ all }: QueriedWords, query: string | null): Marks {
  const terms = all.flat()
  const words = new Set(terms.flatMap(({ phrase, joined = '' }) => `${phrase} ${joined}`.split(' ')))
  const prefixes = terms.map(({ prefix }) => prefix).filter((prefix) => prefix !== '')
  const lexemes = [...(query ?? '').matchAll(LEXEME)].map(([, lexeme = '']) => lexeme)
  // The stem of a short word is the beginning of too many others.
  const stems = [...new Set(lexemes)].filter((lexeme) => lexeme.length > 2 && !prefixes.includes(lexeme))
  words.delete('')
  return { words, prefixes, stems }
}

/** The words of a query that corrections may replace: single words, not phrases. */
export const correctable = ({ all }: QueriedWords): readonly string[] => [
  ...new Set(all.flat().flatMap(({ phrase }) => (isCorrectable(phrase) ? [phrase] : []))),
]

/** The possible corrections of misspelled words, by the misspelled word. */
export function correctionsAmong(
  misspelled: readonly string[],
  alike: readonly KnownWord[],
): ReadonlyMap<string, readonly string[]> {
  const known = new Set(alike.map(({ word }) => word))
  const found = misspelled
    // A word that documents have is not misspelled.
    .filter((word) => !known.has(word))
    .map((word) => [word, correctionsOf(word, alike)] as const)
  return new Map(found.filter(([, corrections]) => corrections.length > 0))
}

/** The most likely correction of each word. */
export const likeliest = (corrections: ReadonlyMap<string, readonly string[]>): Map<string, string> =>
  new Map([...corrections].map(([word, [correction = word]]) => [word, correction]))

/** A query that also matches corrections of its words. */
export function correct(
  { all, none }: QueriedWords,
  corrections: ReadonlyMap<string, readonly string[]>,
): QueriedWords {
  const alternatives = (term: QueriedTerm): readonly QueriedTerm[] => [
    term,
    ...(corrections.get(term.phrase) ?? []).map((phrase) => ({ phrase, prefix: '' })),
  ]
  return { all: all.map((clause) => clause.flatMap(alternatives)), none }
}
