/** A word of a text, and where it is. */
export interface TextToken {
  /** Folded: lower case, without accents. */
  readonly word: string
  /** Of a script that has no spaces between words: matched by pairs of characters, see `pairsOf`. */
  readonly isUnspaced: boolean
  /** Offsets of UTF-16 code units; `end` is exclusive. */
  readonly start: number
  readonly end: number
  /**
   * At the first part of a word that is spelled with joiners between its parts (ZWNJ, ZWJ), as in Persian: the word written without
   * them, and where it ends.
   */
  readonly joined?: { readonly word: string; readonly end: number } | undefined
}

/** Words beyond this limit are ignored. */
const QUERY_WORDS = 32
const MAX_WORD = 64
const WORD = /[\p{L}\p{N}\p{M}]+/gu
// The last four are half-width marks and the marks of decomposed kana, which belong to no script.
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々\uff70\uff9e\uff9f\u3099\u309a]/u
const RUNS = new RegExp(`${UNSPACED.source}+|${UNSPACED.source.replace('[', '[^')}+`, 'gu')
const ASCII_WORD = /[a-z0-9]+/g
/** Cuts a word to 64 code units, without splitting a character of two. */
export const cutWord = (word: string): string =>
  word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '')
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
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTED, unaccented)
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
}

const JOINERS = /^[\u200c\u200d]+/u

/** Adds to the first part of a word with joiners how it is written without them. */
function* withJoined(text: string, tokens: Iterable<TextToken>): Generator<TextToken> {
  let parts: TextToken[] = []
  function* flush(): Generator<TextToken> {
    const [first, ...rest] = parts
    const last = rest.at(-1)
    if (first && last) {
      yield { ...first, joined: { word: cutWord(parts.map(({ word }) => word).join('')), end: last.end } }
      yield* rest
    } else yield* parts
    parts = []
  }
  for (const token of tokens) {
    const last = parts.at(-1)
    const between = last && text.slice(last.end, token.start)
    if (between === undefined || token.isUnspaced || !JOINERS.test(between) || between.replace(JOINERS, '') !== '')
      yield* flush()
    if (token.isUnspaced) yield token
    else parts.push(token)
  }
  yield* flush()
}

const HAS_JOINER = /[\u200c\u200d]/u

/**
 * The words of a text in their order. A word in which the script changes to one without spaces is more than one, and so is a word
 * with joiners.
 *
 * @param folded - folds a word; one that caches words makes several texts faster
 */
export function* tokensOf(text: string, folded = foldWord): Generator<TextToken> {
  if (ASCII.test(text)) {
    // Most texts of many languages: classes of Unicode take several times as long.
    for (const { 0: word, index } of text.toLowerCase().matchAll(ASCII_WORD)) {
      yield { word: cutWord(word), isUnspaced: false, start: index, end: index + word.length }
    }
    return
  }
  if (HAS_JOINER.test(text)) yield* withJoined(text, wordsOf(text, folded))
  else yield* wordsOf(text, folded)
}

function* wordsOf(text: string, folded: (word: string) => string): Generator<TextToken> {
  for (const { 0: found, index } of text.matchAll(WORD)) {
    if (!UNSPACED.test(found)) {
      yield { word: cutWord(folded(found)), isUnspaced: false, start: index, end: index + found.length }
      continue
    }
    for (const { 0: run, index: offset } of found.matchAll(RUNS)) {
      const isUnspaced = UNSPACED.test(run)
      const word = isUnspaced ? foldWord(run) : cutWord(foldWord(run))
      yield { word, isUnspaced, start: index + offset, end: index + offset + run.length }
    }
  }
}

/** The pairs of neighbouring characters of a run, and its last character by itself: so a search for any part of it finds it. */
export function pairsOf(run: string): readonly string[] {
  const characters = [...run]
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  return [...pairs, characters.at(-1) ?? '']
}

/** A term of a query. */
export interface QueryTerm {
  /** Folded: compared with the words of texts, or with the pairs and single characters of scripts without spaces. */
  readonly word: string
  /** As it is in the query. A pair of characters is folded. */
  readonly text: string
  /** At the first part of a word with joiners: the word without them, which may be found instead of its parts. */
  readonly joined?: string | undefined
}

const termsOfToken = (query: string, { word, isUnspaced, start, end, joined }: TextToken): readonly QueryTerm[] => {
  if (!isUnspaced) return [{ word, text: query.slice(start, end), ...(joined ? { joined: joined.word } : {}) }]
  const pairs = pairsOf(word)
  return pairs.slice(0, Math.max(1, pairs.length - 1)).map((pair) => ({ word: pair, text: pair }))
}

/**
 * The first 32 different words of a query. Sentences of scripts without spaces between words are split into pairs of neighbouring
 * characters.
 */
export function queryTermsOf(query: string): readonly QueryTerm[] {
  const terms = new Map<string, QueryTerm>()
  for (const token of tokensOf(query)) {
    for (const term of termsOfToken(query, token)) {
      if (terms.size === QUERY_WORDS) return [...terms.values()]
      if (term.word !== '' && !terms.has(term.word)) terms.set(term.word, term)
    }
  }
  return [...terms.values()]
}
