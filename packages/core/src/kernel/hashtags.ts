const MAX_HASHTAG_LENGTH = 64
const CONTINUE = '[\\p{L}\\p{M}\\p{N}_]'
/** Middle dots, and the joiners that spell words of Persian and of India. */
const MEDIAL = '[\\u00b7\\u30fb\\u200c\\u200d]'
const TAG = `${CONTINUE}+(?:${MEDIAL}${CONTINUE}+)*`

/** The source of a pattern of a hashtag, which captures its tag as `tag`; it needs the flag `u`. */
export const HASHTAG_PATTERN = `(?<![\\p{L}\\p{M}\\p{N}_#＃&/])[#＃](?<tag>${TAG})`

const HASHTAG = new RegExp(`^${TAG}$`, 'u')
const MEANS_SOMETHING = /[\p{L}\p{N}]/u

/**
 * Returns the folded form of a hashtag, as UAX 31 identifies them: compatible characters (NFKC) without case and joiners. All four
 * letters i of Turkish are equal, because capitals cannot be told apart without a language. Undefined for a text that does not consist
 * of letters, digits and `_`, with single middle dots between them, or is longer than 64 characters.
 */
export function foldHashtag(text: string): string | undefined {
  // Conversion to upper case first makes ß equal to ss, ı to i, and both lower-case sigmas equal.
  const upper = text
    .replaceAll(/[\u200c\u200d]/g, '')
    .normalize('NFKC')
    .toUpperCase()
  const lower = upper.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
  const folded = lower.replaceAll(/i\u0307+/g, 'i').normalize('NFKC')
  const isHashtag = HASHTAG.test(folded) && MEANS_SOMETHING.test(folded)
  return isHashtag && [...folded].length <= MAX_HASHTAG_LENGTH ? folded : undefined
}
