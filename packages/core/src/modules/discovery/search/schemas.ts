import { z } from 'zod'
import { pagination } from '../../../http/documents/lists.ts'
import { formatQuery } from '../../../http/documents/negotiation.ts'
import { isStorable, STORABLE } from '../../../kernel/text-fields.ts'
import { AUDIENCES } from '../../../model/audience.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { SEARCH_KINDS } from '../../../ports/search-index.ts'
import { profileSummary } from '../../profiles/profiles/index.ts'
import { textEncoding } from '../../publishing/files/index.ts'

const FACETS = ['profile_type', 'kind', 'tag'] as const

const text = z
  .string()
  .max(256)
  .refine(isStorable, STORABLE)
  .describe(
    'Words, "a phrase", -excluded, one OR other, author:u/ada, type:page, tag:engines, updated:>2026-01-01. The page without it has a search box',
  )

export const searchQuery = z.object({
  q: text.optional().meta({ isRequired: true }),
  scope: z.enum(['all', 'feed', 'profiles', 'pages']).default('all'),
  mode: z
    .enum(['keyword', 'semantic', 'hybrid'])
    .optional()
    .describe('`hybrid` falls back to `keyword` when the service has no semantic search'),
  profile_type: z.enum(PROFILE_TYPES).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
  cursor: z.string().min(1).max(8_192).optional(),
  facets: z
    .string()
    .max(64)
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(FACETS)).max(FACETS.length))
    .optional()
    .describe(`Facets to count over the best 200 hits: ${FACETS.join(', ')}, separated by commas`),
  gated: z.enum(['mine']).optional().describe('`mine` also searches gated texts that the caller may read'),
  consistency: z
    .enum(['strong'])
    .optional()
    .describe('`strong` waits up to 2 seconds until earlier changes are indexed'),
  ...formatQuery.shape,
})

export const suggestQuery = z.object({ q: z.string().min(1).max(256).refine(isStorable, STORABLE) })

const range = z.array(z.int()).length(2).describe('Start and end, exclusive, in UTF-16 code units')
const price = z.object({
  amount: z.string(),
  currency: z.string(),
  per: z.enum(['request', 'hour', 'day', 'week', 'month', 'year', 'once']),
})

export const hitSchema = z.object({
  kind: z.enum(SEARCH_KINDS),
  score: z.number().describe('0 to 1, comparable within one search'),
  title: z.string(),
  snippet: z.string().describe('Plain text'),
  highlights: z.array(z.object({ field: z.enum(['title', 'snippet']), ranges: z.array(range) })),
  url: z.string(),
  path: z.string(),
  profile: profileSummary,
  matched: z.array(z.enum(['keyword', 'semantic', 'fuzzy'])),
  gated: z.boolean(),
  price: price.optional().describe('The lowest price for access'),
  free_for: z.array(z.enum(AUDIENCES)).optional().describe('The audiences that read it for free'),
  encoding: textEncoding.optional().describe('Of a file that is a text but not UTF-8'),
  updated_at: z.string(),
})

const values = z.array(z.object({ value: z.string(), count: z.int() }))

/** The part of an answer about its query. */
export const searchNotes = z.object({
  ignored: z
    .array(z.string())
    .optional()
    .describe('The parts of the query that were not searched: a query has at most 8 terms and 16 words'),
  hint: z.string().optional().describe('Why nothing was searched'),
})

export const searchAnswer = z
  .object({
    data: z.array(hitSchema),
    pagination,
    facets: z.object({ profile_type: values.optional(), kind: values.optional(), tag: values.optional() }).optional(),
    suggestion: z.string().optional().describe('The corrected query, when misspelled words were replaced'),
    mode: z.enum(['keyword', 'semantic', 'hybrid']),
    ...searchNotes.shape,
  })
  .meta({ id: 'SearchResults' })

export const suggestAnswer = z
  .object({
    data: z.array(
      z.object({
        kind: z.enum(SEARCH_KINDS),
        title: z.string(),
        url: z.string(),
        path: z.string(),
        profile: profileSummary,
      }),
    ),
    pagination,
  })
  .meta({ id: 'SearchSuggestions' })

/** A serialized hit. */
export type HitRecord = z.output<typeof hitSchema>
export type SearchAnswer = z.output<typeof searchAnswer>
