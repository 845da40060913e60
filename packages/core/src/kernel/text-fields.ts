import { z } from 'zod'

/** Whether a database and every format can represent the text: it has no NUL and no unpaired surrogate. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u

/** Whether a reader would see nothing of the text: it has only spaces, control and invisible characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)

export const BLANK = 'Must not be blank'

const CONTROL = /\p{Cc}/u
export const STORABLE = 'Must not contain NUL or unpaired surrogates'

/** Multi-line text. */
export const prose = (max: number) => z.string().max(max).refine(isStorable, STORABLE)

/** Text of one line, not blank. */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed() && !CONTROL.test(text), 'Must not contain line breaks or control characters')
    .refine((text) => !isBlank(text), BLANK)
