import { foldHashtag } from '../../../kernel/hashtags.ts'

/** A tag of a document, or of `tag:` in a query: folded like a hashtag, or in lower case where it is none, such as two words. */
export const keywordOf = (text: string): string => foldHashtag(text) ?? text.toLowerCase()
