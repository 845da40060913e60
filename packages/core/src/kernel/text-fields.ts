import { z } from 'zod'

/** What a database and every format can carry: no NUL, no half of a surrogate pair. */
export const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

const CONTROL = /\p{Cc}/u
export const STORABLE = 'Contains characters that cannot be stored'

/** Text of several lines. */
export const prose = (max: number) => z.string().max(max).refine(isStorable, STORABLE)

/** Text of one line that says something. */
export const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => text.isWellFormed() && !CONTROL.test(text),
      'Line breaks and control characters do not belong here',
    )
    .refine((text) => text.trim() !== '', 'Says nothing')
