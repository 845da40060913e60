/** A word of a text, and where it is. */
export interface Token {
  /** Folded: lower case, without accents. */
  readonly word: string
  /** Of a script that has no spaces between words: indexed by pairs of characters. */
  readonly isUnspaced: boolean
  readonly start: number
  readonly end: number
}

const MAX_WORD = 64
/** The maximum number of folded words to cache. */
const MAX_FOLDED = 20_000
/** Cuts a word without splitting a character of two code units. */
const cut = (word: string) => word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '')
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]/u
const RUNS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII
const ASCII = /^[\x00-\x7f]*$/
// Other scripts, those of India for example, have marks that are vowels.
const ACCENTED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}])\p{M}+/gu
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  // The tatweel only stretches a word.
  ـ: '',
}
const LETTER = /[ßæœøđðþłıςـ]/gu

// The letter й is not an и with an accent: endings of Russian words have it.
const unaccented = (marked: string, letter: string) => (marked.startsWith('и\u0306') ? 'й' : letter)

/** Writes a word without case, accents and compatibility forms, so that spellings of one word are equal. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTED, unaccented)
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
}

function accentedForm(found: string, word: string): string | undefined {
  if (ASCII.test(found)) return undefined
  const accented = cut(found.normalize('NFKC').toLowerCase())
  return accented === word ? undefined : accented
}

/**
 * The words of a text in their order. A word in which the script changes to one without spaces is more than one.
 *
 * @param folded - folds a word; one that caches words makes several texts faster
 */
export function* tokensOf(text: string, folded = fold): Generator<Token> {
  for (const { 0: found, index } of text.matchAll(WORD)) {
    if (!UNSPACED.test(found)) {
      yield { word: cut(folded(found)), isUnspaced: false, start: index, end: index + found.length }
      continue
    }
    for (const { 0: run, index: offset } of found.matchAll(RUNS)) {
      const isUnspaced = UNSPACED.test(run)
      const word = isUnspaced ? fold(run) : cut(fold(run))
      yield { word, isUnspaced, start: index + offset, end: index + offset + run.length }
    }
  }
}

/** The pairs of neighbouring characters of a run, and its last character by itself: so a search for any part of it finds it. */
function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  return [...pairs, characters.at(-1) ?? '']
}

/** A word in lower case with its accents, where it has any: stemmers of some languages need them. */
function accentedOf(text: string, { word, isUnspaced, start, end }: Token): string | undefined {
  return isUnspaced ? undefined : accentedForm(text.slice(start, end), word)
}

/** A text as it is indexed. */
export interface IndexedText {
  /** Folded words with single spaces. */
  readonly words: string
  /** The words that have accents, with their accents. */
  readonly accented: string
  /** The folded words of scripts that have spaces. */
  readonly spaced: readonly string[]
}

/**
 * Reads the words of a text.
 *
 * @param folded - folds a word, see {@link createFolder}
 */
export function readText(text: string, folded = fold): IndexedText {
  const words: string[] = []
  const accented: string[] = []
  const spaced: string[] = []
  for (const token of tokensOf(text, folded)) {
    if (token.isUnspaced) {
      words.push(...pairsOf(token.word))
      continue
    }
    if (token.word !== '') {
      words.push(token.word)
      spaced.push(token.word)
    }
    const withAccents = accentedOf(text, token)
    if (withAccents !== undefined) accented.push(withAccents)
  }
  return { words: words.join(' '), accented: accented.join(' '), spaced }
}

/** Folds words, and caches some of them: words repeat, within a text and between texts. */
export function createFolder(): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const after = fold(word)
    if (known.size < MAX_FOLDED) known.set(word, after)
    return after
  }
}

/**
 * A term of a query as it is matched: `phrase` in this order, or a word that begins with `prefix`, or both. Both are empty
 * for a term without words. `accented` is the phrase with its accents when it is one word that has any.
 */
export function queriedText(
  text: string,
  isPrefix: boolean,
): { readonly phrase: string; readonly prefix: string; readonly accented?: string | undefined } {
  const parts = [...tokensOf(text)].filter(({ word }) => word !== '')
  const [only] = parts
  if (only && parts.length === 1) {
    const { word } = only
    if (!only.isUnspaced) return { phrase: word, prefix: isPrefix ? word : '', accented: accentedOf(text, only) }
    if ([...only.word].length === 1) return { phrase: '', prefix: only.word }
  }
  // The last character of a run is left out: in the document it is followed by another one.
  const words = parts.flatMap(({ word, isUnspaced }) => {
    if (!isUnspaced) return [word]
    const pairs = pairsOf(word)
    return pairs.length > 1 ? pairs.slice(0, -1) : pairs
  })
  return { phrase: words.join(' '), prefix: '' }
}
