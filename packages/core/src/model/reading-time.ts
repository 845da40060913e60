import type { PageLanguage } from './messages.ts'

/**
 * Bytes of UTF-8 that people read in a minute: 250 words of six letters, or 500 Japanese or Chinese characters of three bytes each. So the
 * time needs neither the text nor its language.
 */
const BYTES_A_MINUTE = 1_500

/** How many minutes a text takes to read, by its size in UTF-8; at least one. */
const readingMinutes = (bytes: number): number => Math.max(1, Math.round(bytes / BYTES_A_MINUTE))

/** Writes how long a text takes to read, in the language of a page: `11 min`. */
export const readingText = ({ language = 'en' }: PageLanguage, bytes: number): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'short' }).format(readingMinutes(bytes))
