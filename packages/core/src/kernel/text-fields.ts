import { z } from 'zod'

/** Whether a database and every format can represent the text: it has no NUL and no unpaired surrogate. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u

/** Whether a reader would see nothing of the text: it has only spaces, control and invisible characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)

export const BLANK = 'Must not be blank'

/** Characters that break a line or change the order of what follows, and tags, with the flags that tags spell as the first group. */
const UNNAMEABLE =
  /(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F})|[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu
const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]+/g

const withoutUnnameable = (text: string) => text.replaceAll(UNNAMEABLE, '$1')

/** Whether a name shows on one line and in its own order. */
export const isNameable = (text: string): boolean => withoutUnnameable(text) === text

/**
 * Removes from a name what {@link isNameable} refuses; a line break inside it becomes a space. For names that a request did not
 * write: of sign-in providers, archives and stored rows.
 */
export const cleanedName = (text: string): string =>
  isNameable(text) ? text : withoutUnnameable(text.trim().replaceAll(LINE_BREAKS, ' ')).trim()

/** The check of names that requests write. */
export const NAMEABLE = {
  error: 'Must not contain line breaks, control characters or characters that change the order of text',
  params: { unnameable: true },
}

export const STORABLE = 'Must not contain NUL or unpaired surrogates'

/** Multi-line text. */
export const prose = (max: number) => z.string().max(max).refine(isStorable, STORABLE)

/** Text of one line, not blank: a name, a title, a label. */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(isStorable, STORABLE)
    .refine(isNameable, NAMEABLE)
    .refine((text) => !isBlank(text), BLANK)

/** Text like that of {@link line}, which loses the spaces around it. */
export const trimmedLine = (max: number) =>
  z
    .string()
    .refine(isStorable, STORABLE)
    .refine(isNameable, NAMEABLE)
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !isBlank(text), BLANK)
