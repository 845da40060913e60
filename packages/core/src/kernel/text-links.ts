/** A web URL in a plain text. Offsets count UTF-16 code units; `end` is exclusive. */
export interface TextLink {
  readonly start: number
  readonly end: number
  readonly text: string
  /** The URL in its normal form. */
  readonly url: string
}

const MAX_URL_LENGTH = 2_048

/** Punctuation of Chinese, Japanese and Korean: the sentence goes on after it without a space, so it ends a link. */
const SENTENCE = '。｡、､，．？！；：「」『』《》〈〉【】（）［］｛｝〔〕…‥'
/** Scripts without spaces between words, or with endings that follow a word directly: a link may begin after their letters. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Hangul}'

/** The source of a pattern that finds candidates for {@link linkAt}; it needs the flags `i` and `u`. */
export const LINK_PATTERN = `(?:(?<![\\p{L}\\p{N}_])|(?<=[${UNSPACED}]))https?:\\/\\/[^\\s\\p{C}<>"\`{}|\\\\^${SENTENCE}]+`

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[' }
const PUNCTUATION = /[.,:;!?'*_~\u2019\u201d،؟؛۔।॥]/

/** Removes punctuation that belongs to the surrounding sentence: a final full stop, or a bracket that was opened before the link. */
function withoutSentence(link: string): string {
  const counts = new Map<string, number>()
  const add = (character: string, by: number) => counts.set(character, (counts.get(character) ?? 0) + by)
  for (const character of link) add(character, 1)
  let end = link.length
  for (; end > 0; end--) {
    const last = link[end - 1] ?? ''
    const opening = PAIRS[last]
    const isOutside =
      opening === undefined ? PUNCTUATION.test(last) : (counts.get(last) ?? 0) > (counts.get(opening) ?? 0)
    if (!isOutside) break
    add(last, -1)
  }
  return link.slice(0, end)
}

/** Returns the URL of a link. Undefined for an invalid one, and for one with user name and password, which can disguise the host. */
function addressOf(link: string): string | undefined {
  if (link.length > MAX_URL_LENGTH || !URL.canParse(link)) return undefined
  const { protocol, hostname, username, password, href } = new URL(link)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && hostname !== '' && username === '' && password === '' ? href : undefined
}

/**
 * Returns the link of a match of {@link LINK_PATTERN}, without the punctuation of the sentence around it. Undefined when it is not
 * a web URL, has a user name or is longer than 2,048 characters.
 */
export function linkAt(match: string, start: number): TextLink | undefined {
  const text = withoutSentence(match)
  const url = addressOf(text)
  return url === undefined ? undefined : { start, end: start + text.length, text, url }
}

const LINK = new RegExp(LINK_PATTERN, 'giu')

/** Finds the web URLs in a plain text, in order. */
const linksOf = (text: string): readonly TextLink[] =>
  [...text.matchAll(LINK)].flatMap(({ 0: match, index }) => linkAt(match, index) ?? [])

/** A part of a text: a link, or what is between links. */
export interface TextPart {
  readonly text: string
  readonly link?: TextLink | undefined
}

/** Splits a plain text into its links and the texts between them. */
export function splitAtLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const link of linksOf(text)) {
    parts.push({ text: text.slice(end, link.start) }, { text: link.text, link })
    end = link.end
  }
  return [...parts, { text: text.slice(end) }]
}
