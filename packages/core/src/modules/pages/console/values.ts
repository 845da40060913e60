import { z } from 'zod'
import { line, prose } from '../../../kernel/text-fields.ts'

/** Line breaks of forms are those of HTTP; texts are stored with `\n`. */
const withLineFeeds = (text: string) => text.replaceAll('\r\n', '\n')

/** The text of an input of one line; null for an empty one. */
export const optionalLine = (max: number) =>
  z
    .string()
    .trim()
    .transform((text) => (text === '' ? null : text))
    .pipe(line(max).nullable())

/** The text of an input of several lines; null for an empty one. */
export const optionalLines = (max: number) =>
  z
    .string()
    .transform((text) => (text.trim() === '' ? null : withLineFeeds(text)))
    .pipe(prose(max).nullable())

/** The texts of inputs that can be sent more than once. */
export const many = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((texts): readonly string[] => (texts === undefined ? [] : typeof texts === 'string' ? [texts] : texts))

/** The ids of a form. */
export const manyIds = many.transform((texts) => texts.map(Number)).pipe(z.array(z.int().min(1)).max(500))

/** The id of something in a form. */
export const oneId = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
