import { foldHashtag, HASHTAG_PATTERN } from '../../../kernel/hashtags.ts'
import { LINK_PATTERN, linkAt, type TextLink } from '../../../kernel/text-links.ts'

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
export interface LinkEntity extends TextLink {
  readonly type: 'link'
}

export type PostEntity = HashtagEntity | MentionEntity | LinkEntity

/** The entities of a post in order, and its distinct hashtags. */
export interface ParsedPost {
  readonly entities: readonly PostEntity[]
  readonly hashtags: readonly string[]
}

export const MAX_GRAPHEMES = 500
export const MAX_BYTES = 32_768
/** In one character. */
export const MAX_CODE_POINTS = 64
const MAX_MENTIONS = 10
const MAX_HASHTAGS = 10

// Links match first, so that `#` and `@` in them have no meaning. No entity begins inside a word.
const ENTITY = new RegExp(
  [
    `(?<link>${LINK_PATTERN})`,
    '(?<![\\p{L}\\p{M}\\p{N}_@/])@(?<prefix>[a-z]{1,5})\\/(?<username>[a-z0-9-]{1,64})(?![\\p{L}\\p{M}\\p{N}_/])',
    HASHTAG_PATTERN,
  ].join('|'),
  'giu',
)

function entityOf(groups: Readonly<Record<string, string | undefined>>, span: TextSpan): PostEntity | undefined {
  const { link, prefix, username, tag } = groups
  if (link !== undefined) {
    const found = linkAt(link, span.start)
    return found && { type: 'link', ...found }
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

/**
 * Whether a text has at most 500 characters, counted as grapheme clusters, each of at most 64 code points, in at most 32,768 bytes
 * of UTF-8.
 */
export function fitsPost(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_BYTES) return false
  if (text.length <= MAX_CODE_POINTS) return true
  let count = 0
  for (const { segment } of segmenter.segment(text)) {
    if (++count > MAX_GRAPHEMES || (segment.length > MAX_CODE_POINTS && [...segment].length > MAX_CODE_POINTS))
      return false
  }
  return true
}
