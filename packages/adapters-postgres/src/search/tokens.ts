import { cutWord, foldWord, pairsOf, type TextToken, tokensOf } from '@eep/core/ports'

/** At most this many folded words are cached. */
const MAX_FOLDED = 20_000
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII
const ASCII = /^[\x00-\x7f]*$/

function accentedForm(found: string, word: string): string | undefined {
  if (ASCII.test(found)) return undefined
  const accented = cutWord(found.normalize('NFKC').toLowerCase())
  return accented === word ? undefined : accented
}

/** Returns a word with accents in lower case, which the stemmers of some languages need, and undefined for other words. */
function accentedOf(text: string, { word, isUnspaced, start, end }: TextToken): string | undefined {
  return isUnspaced ? undefined : accentedForm(text.slice(start, end), word)
}

/** A text as it is indexed. */
export interface IndexedText {
  /** Folded words with single spaces. */
  readonly words: string
  /** The words that have accents, with their accents. */
  readonly accented: string
  /**
   * The words with each word of joiners in place of its first part, so that both have the same position. Empty for a text without
   * joiners.
   */
  readonly joined: string
  /** The folded words of scripts that have spaces. */
  readonly spaced: readonly string[]
}

/**
 * Reads the words of a text.
 *
 * @param folded - folds a word, see {@link createFolder}
 */
export function readText(text: string, folded = foldWord): IndexedText {
  const words: string[] = []
  const accented: string[] = []
  const spaced: string[] = []
  const joinedAt = new Map<number, string>()
  for (const token of tokensOf(text, folded)) {
    if (token.isUnspaced) {
      words.push(...pairsOf(token.word))
      continue
    }
    if (token.word !== '') {
      if (token.joined) joinedAt.set(words.length, token.joined.word)
      words.push(token.word)
      spaced.push(token.word)
    }
    const withAccents = accentedOf(text, token)
    if (withAccents !== undefined) accented.push(withAccents)
  }
  const joined = joinedAt.size === 0 ? '' : words.map((word, index) => joinedAt.get(index) ?? word).join(' ')
  return { words: words.join(' '), accented: accented.join(' '), joined, spaced }
}

/** Returns a function that folds words and caches the first ones, because words repeat within a text and between texts. */
export function createFolder(): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const after = foldWord(word)
    if (known.size < MAX_FOLDED) known.set(word, after)
    return after
  }
}

/**
 * Prepares a term of a query for matching: the words of `phrase` in this order, a word that begins with `prefix`, or both. Both are
 * empty for a term without words. `accented` is a phrase of one accented word with its accents; `joined` is a phrase without the
 * joiners of its words.
 */
export function queriedText(
  text: string,
  isPrefix: boolean,
): {
  readonly phrase: string
  readonly prefix: string
  readonly accented?: string | undefined
  readonly joined?: string | undefined
} {
  const parts = [...tokensOf(text)].filter(({ word }) => word !== '')
  const [only] = parts
  if (only && parts.length === 1) {
    const { word } = only
    if (!only.isUnspaced) return { phrase: word, prefix: isPrefix ? word : '', accented: accentedOf(text, only) }
    if ([...only.word].length === 1) return { phrase: '', prefix: only.word }
  }
  // The last character of a run is left out: in the document it is followed by another one.
  const wordsOf = ({ word, isUnspaced }: Pick<TextToken, 'word' | 'isUnspaced'>) => {
    if (!isUnspaced) return [word]
    const pairs = pairsOf(word)
    return pairs.length > 1 ? pairs.slice(0, -1) : pairs
  }
  const phrase = parts.flatMap(wordsOf).join(' ')
  if (!parts.some((part) => part.joined)) return { phrase, prefix: '' }
  const joined = withoutJoiners(parts).flatMap(wordsOf)
  const [word = ''] = joined
  return { phrase, prefix: isPrefix && joined.length === 1 ? word : '', joined: joined.join(' ') }
}

/** The tokens of a text, each word with joiners as one. */
export function withoutJoiners(tokens: readonly TextToken[]): readonly TextToken[] {
  let end = 0
  return tokens.flatMap((token) => {
    if (token.start < end) return []
    if (!token.joined) return [token]
    end = token.joined.end
    return [{ ...token, ...token.joined, joined: undefined }]
  })
}
