/** An entity in the text of a post. Offsets count UTF-16 code units, like `String.prototype.slice` in JavaScript. */
interface TextSpan {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** `#Ärger`; `hashtag` is its folded form, `ärger`. */
export interface HashtagEntity extends TextSpan {
  readonly type: 'hashtag'
  readonly hashtag: string
}

/** `@u/ada`. */
export interface MentionEntity extends TextSpan {
  readonly type: 'mention'
  readonly prefix: string
  readonly username: string
}

/** A web URL. */
export interface LinkEntity extends TextSpan {
  readonly type: 'link'
  readonly url: string
}

export type PostEntity = HashtagEntity | MentionEntity | LinkEntity

/** The entities of a post in order, and its distinct hashtags. */
export interface ParsedPost {
  readonly entities: readonly PostEntity[]
  readonly hashtags: readonly string[]
}

export const MAX_GRAPHEMES = 500
export const MAX_BYTES = 8_192
const MAX_HASHTAG_LENGTH = 64
const MAX_HASHTAGS = 10
const MAX_MENTIONS = 10
const MAX_URL_LENGTH = 2_048

// Links match first, so that `#` and `@` in them have no meaning. No entity begins inside a word.
const ENTITY = new RegExp(
  [
    '(?<![\\p{L}\\p{N}_])(?<link>https?:\\/\\/[^\\s\\p{C}<>"`{}|\\\\^]+)',
    '(?<![\\p{L}\\p{M}\\p{N}_@/])@(?<prefix>[a-z]{1,5})\\/(?<username>[a-z0-9-]{1,64})(?![\\p{L}\\p{M}\\p{N}_/])',
    '(?<![\\p{L}\\p{M}\\p{N}_#&/])#(?<tag>[\\p{L}\\p{M}\\p{N}_]+)',
  ].join('|'),
  'giu',
)
const HASHTAG = /^[\p{L}\p{M}\p{N}_]+$/u
const MEANS_SOMETHING = /[\p{L}\p{N}]/u

/**
 * Returns the folded form of a hashtag: compatible characters (NFKC) without case. Undefined for a text that does not consist
 * of letters, digits and `_`, or is longer than 64 characters.
 */
export function foldHashtag(text: string): string | undefined {
  // Conversion to upper case first makes ß equal to ss, and both lower-case sigmas equal.
  const upper = text.normalize('NFKC').toUpperCase()
  const folded = upper.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
  const isHashtag = HASHTAG.test(folded) && MEANS_SOMETHING.test(folded)
  return isHashtag && [...folded].length <= MAX_HASHTAG_LENGTH ? folded : undefined
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[' }
const PUNCTUATION = /[.,:;!?'*_~\u2019\u201d\u2026]/

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

function entityOf(groups: Readonly<Record<string, string | undefined>>, span: TextSpan): PostEntity | undefined {
  const { link, prefix, username, tag } = groups
  if (link !== undefined) {
    const text = withoutSentence(span.text)
    const url = addressOf(text)
    return url === undefined ? undefined : { type: 'link', start: span.start, end: span.start + text.length, text, url }
  }
  if (tag !== undefined) {
    const hashtag = foldHashtag(tag)
    return hashtag === undefined ? undefined : { type: 'hashtag', ...span, hashtag }
  }
  if (prefix === undefined || username === undefined) return undefined
  // The hyphen of `@u/ada-` is punctuation.
  const name = username.replace(/-+$/, '')
  const text = span.text.slice(0, span.text.length - username.length + name.length)
  return {
    type: 'mention',
    start: span.start,
    end: span.start + text.length,
    text,
    prefix: prefix.toLowerCase(),
    username: name.toLowerCase(),
  }
}

/**
 * Finds the links, mentions and hashtags of a body. Hashtags and mentions after the first 10 distinct hashtags and the first
 * 10 mentions are plain text.
 */
export function parsePost(body: string): ParsedPost {
  const entities: PostEntity[] = []
  const hashtags = new Set<string>()
  let mentions = 0
  for (const { 0: text, index: start, groups = {} } of body.matchAll(ENTITY)) {
    const entity = entityOf(groups, { start, end: start + text.length, text })
    if (!entity) continue
    if (entity.type === 'hashtag') {
      if (!hashtags.has(entity.hashtag) && hashtags.size === MAX_HASHTAGS) continue
      hashtags.add(entity.hashtag)
    }
    if (entity.type === 'mention' && ++mentions > MAX_MENTIONS) continue
    entities.push(entity)
  }
  return { entities, hashtags: [...hashtags] }
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Whether a text has at most 500 characters, counted as grapheme clusters, in at most 8,192 bytes of UTF-8. */
export function fitsPost(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_BYTES) return false
  if (text.length <= MAX_GRAPHEMES) return true
  let count = 0
  for (const _ of segmenter.segment(text)) if (++count > MAX_GRAPHEMES) return false
  return true
}
