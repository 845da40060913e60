import { z } from 'zod'
import { sha256 } from '../../../kernel/digest.ts'
import { isStorable, STORABLE } from '../../../kernel/text-fields.ts'
import type { ProfileType } from '../../../model/profile-type.ts'
import type { HitRecord, SearchAnswer } from './schemas.ts'

// NLWeb 0.55 (NLWEBSPEC.md), a draft: only its mode `list`, which returns what the search of the service finds.

const question = z.string().trim().min(1).max(256).refine(isStorable, STORABLE)
const short = z.string().max(256)

const parameters = {
  site: short.optional().describe('The host of this service, or `all`. Another site has no results here'),
  query_id: z
    .string()
    .regex(/^[\w.:-]{1,64}$/, 'Must have 1 to 64 letters, digits or . : - _')
    .optional()
    .describe('Returned with the results. Default: one that is the same for the same question'),
  mode: z.string().max(32).default('list').describe('`list` only'),
  streaming: z
    .union([z.boolean(), z.string().max(16)])
    .optional()
    .describe('Ignored: the response is one JSON document'),
} as const

export const askQuery = z.object({ query: question, ...parameters })

/** NLWeb allows members that this service does not use, such as earlier questions. */
export const askBody = z.looseObject({ query: z.union([question, z.looseObject({ text: question })]), ...parameters })

export const askAnswer = z
  .object({
    query_id: z.string(),
    results: z.array(
      z.object({
        url: z.string(),
        name: z.string(),
        site: z.string(),
        score: z.int().describe('0 to 100, comparable within one response'),
        description: z.string().describe('Plain text'),
        schema_object: z.looseObject({ '@type': z.string() }).describe('schema.org'),
      }),
    ),
  })
  .meta({ id: 'AskResults' })

/** A question, however it was sent. */
export interface Question {
  readonly text: string
  readonly queryId: string
  readonly site: string | undefined
  readonly mode: string
}

/** Reads a question from the query of a GET or from the body of a POST. */
export function readQuestion({ query, query_id: id, site, mode }: z.output<typeof askBody>): Question {
  const text = typeof query === 'string' ? query : query.text
  return { text, queryId: id ?? sha256(text).slice(0, 32), site, mode }
}

const TYPES: Readonly<Record<Exclude<HitRecord['kind'], 'profile'>, string>> = {
  page: 'Article',
  post: 'SocialMediaPosting',
  file: 'DigitalDocument',
}
const PROFILE_TYPES: Readonly<Partial<Record<ProfileType, string>>> = {
  person: 'Person',
  organization: 'Organization',
  place: 'Place',
  product: 'Product',
  event: 'Event',
}

const schemaType = ({ kind, profile }: HitRecord): string =>
  kind === 'profile' ? (PROFILE_TYPES[profile.profile_type] ?? 'Thing') : TYPES[kind]

const schemaObject = (hit: HitRecord) => ({
  '@context': 'https://schema.org',
  '@type': schemaType(hit),
  '@id': hit.url,
  name: hit.title,
  url: hit.url,
  ...(hit.snippet === '' ? {} : { description: hit.snippet }),
  ...(hit.gated ? { isAccessibleForFree: false } : {}),
})

/**
 * Serializes search results as results of a question.
 *
 * @param site - the host of the service
 */
export const serializeAsk = (queryId: string, site: string, { data }: Pick<SearchAnswer, 'data'>) => ({
  query_id: queryId,
  results: data.map((hit) => ({
    url: hit.url,
    name: hit.title,
    site,
    score: Math.round(hit.score * 100),
    description: hit.snippet,
    schema_object: schemaObject(hit),
  })),
})
