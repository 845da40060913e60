import Negotiator from 'negotiator'
import { z } from 'zod'
import { defineError } from '../kernel/errors.ts'

export const invalidFormat = defineError('invalid_format', 400, 'format is one of markdown, json, toon')

/** The representations of a public document, in order of preference. */
export const MEDIA_TYPES = {
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  toon: 'text/toon; charset=utf-8',
} as const

export type Format = keyof typeof MEDIA_TYPES

/** The media type of a format without its character set. */
export const mediaTypeOf = (format: Format): string => MEDIA_TYPES[format].replace(/;.*/, '')

/** The formats by name, without the character set. */
export const FORMATS = (Object.keys(MEDIA_TYPES) as Format[]).map((format) => ({
  format,
  mediaType: mediaTypeOf(format),
}))

/** What the routes of public documents declare as `produces`. */
export const DOCUMENT_TYPES = FORMATS.map(({ mediaType }) => mediaType)

/** The query of public documents; {@link chooseFormat} says which values there are. */
export const formatQuery = z.object({
  format: z
    .string()
    .meta({ enum: Object.keys(MEDIA_TYPES), description: 'Wins over Accept; Markdown without either' })
    .optional(),
})

// The same few Accept headers come again and again; parsing each once is enough.
const known = new Map<string, Format>()
const MAX_KNOWN = 500

function acceptedFormat(accept: string): Format {
  const cached = known.get(accept)
  if (cached) return cached
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(DOCUMENT_TYPES)
  const format = FORMATS.find(({ mediaType }) => mediaType === best)?.format ?? 'markdown'
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(accept, format)
  return format
}

const isFormat = (value: string): value is Format => Object.hasOwn(MEDIA_TYPES, value)

/**
 * Chooses the representation: the query `format` wins over `Accept`, whose q-values count; nothing that fits is
 * Markdown, never 406.
 *
 * @throws `invalid_format` for a `format` that does not exist
 */
export function chooseFormat(accept: string | undefined, format: unknown): Format {
  if (format !== undefined) {
    if (typeof format === 'string' && isFormat(format)) return format
    throw invalidFormat({ details: { allowed: Object.keys(MEDIA_TYPES) } })
  }
  return accept === undefined ? 'markdown' : acceptedFormat(accept)
}
