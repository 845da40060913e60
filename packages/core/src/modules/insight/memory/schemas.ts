import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { isStorable, line, STORABLE } from '../../../kernel/text-fields.ts'

const MAX_CONTENT_BYTES = 32_768
const MAX_METADATA_BYTES = 4_096
const MAX_METADATA_DEPTH = 8
const MAX_BATCH = 100
const MIN_TTL = 60
/** How long a session may last. */
export const MAX_TTL_SECONDS = 31_536_000
const MAX_ID = Number.MAX_SAFE_INTEGER

const profileId = z.int().min(1).max(MAX_ID)
const agentDid = z
  .string()
  .max(2_048)
  .regex(/^did:[a-z0-9]+:\S+$/, 'Needs a DID')

/** The body of `POST /memory/sessions`. */
export const sessionBody = z.strictObject({
  profile_id: profileId.describe('The profile that the agent acts for'),
  agent_did: agentDid
    .optional()
    .describe('The agent of the session. Default: the agent that signed the request, else none'),
  ttl_seconds: z.int().min(MIN_TTL).max(MAX_TTL_SECONDS).describe('When the session expires'),
  name: line(200).optional(),
})

export const sessionQuery = listQuery.extend({ profile_id: z.coerce.number().int().min(1).max(MAX_ID) })
export const sessionParams = z.object({ id: z.string().min(1).max(64).toLowerCase().meta({ format: 'uuid' }) })
export const entryParams = sessionParams.extend({ entryId: z.coerce.number().int().min(1).max(MAX_ID) })

const role = z.enum(['user', 'assistant', 'system', 'tool'])
const content = z
  .string()
  .min(1)
  .max(MAX_CONTENT_BYTES)
  .refine((text) => Buffer.byteLength(text) <= MAX_CONTENT_BYTES, `At most ${MAX_CONTENT_BYTES} bytes of UTF-8`)
  .refine(isStorable, STORABLE)

/** Whether a value of JSON is not deeper than a limit; checked before anything that recurses without one. */
function isWithinDepth(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value).every((each) => isWithinDepth(each, left - 1))
}

const metadata = z
  .record(z.string().min(1).max(64), z.unknown())
  .refine((value) => isWithinDepth(value, MAX_METADATA_DEPTH), {
    error: `At most ${MAX_METADATA_DEPTH} levels deep`,
    abort: true,
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES, {
    error: `At most ${MAX_METADATA_BYTES} bytes of JSON`,
  })
  // Values of a parsed JSON body are JSON values.
  .transform((value) => value as JsonObject)
const importance = z.number().min(0).max(1)

/** An entry to add. */
export const newEntry = z.strictObject({
  role,
  content: content.describe('At most 32 KB'),
  metadata: metadata.default({}).describe('At most 4 KB'),
  importance: importance.default(0.5),
})

/** The body of `POST /memory/sessions/{id}/entries`: an entry, or up to 100 of them. */
export const entriesBody = z.union([newEntry, z.strictObject({ entries: z.array(newEntry).min(1).max(MAX_BATCH) })])

/** The body of `PATCH /memory/sessions/{id}/entries/{entryId}`. */
export const entryChanges = z
  .strictObject({
    role: role.optional(),
    content: content.optional(),
    metadata: metadata.optional(),
    importance: importance.optional(),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'Changes nothing')

const mode = z.enum(['keyword', 'semantic', 'hybrid'])
const score = z.number().min(0).max(1)

/** The body of `POST /memory/sessions/{id}/search`. */
export const searchBody = z.strictObject({
  query: z.string().min(1).max(256).refine(isStorable, STORABLE),
  mode: mode.optional().describe('Default: hybrid with an embedder, else keyword'),
  limit: z.int().min(1).max(50).default(10),
  min_score: score.default(0),
})

/** The body of `POST /memory/sessions/{id}/recall`. */
export const recallBody = z.strictObject({
  query: z.string().min(1).max(2_000).refine(isStorable, STORABLE),
  token_budget: z.int().min(1).max(100_000),
})

/** The body of `POST /memory/sessions/{id}/summary`. */
export const summaryBody = z.strictObject({ max_words: z.int().min(20).max(1_000).default(200) })

export const sessionSchema = z
  .object({
    id: z.uuid(),
    profile_id: z.int(),
    agent_did: z.string().nullable(),
    name: z.string().nullable(),
    entries: z.int().describe('The number of entries'),
    bytes: z.int().describe('The size of contents and metadata'),
    created_at: z.string(),
    updated_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'MemorySession' })
export const sessionList = listOf(sessionSchema)

export const entrySchema = z
  .object({
    id: z.int(),
    role,
    content: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    importance: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'MemoryEntry' })
export const entryList = listOf(entrySchema)
export const addedSchema = z
  .union([entrySchema, z.object({ data: z.array(entrySchema) })])
  .meta({ id: 'AddedMemoryEntries' })

export const hitsSchema = z
  .object({
    data: z.array(entrySchema.extend({ score: z.number() })),
    mode: mode.describe('How the entries were found'),
  })
  .meta({ id: 'MemorySearchResults' })
export const recalledSchema = z
  .object({
    data: z.array(entrySchema.extend({ score: z.number(), tokens: z.int() })),
    tokens_used: z.int(),
    token_budget: z.int(),
  })
  .meta({ id: 'RecalledMemory' })
export const summarySchema = z
  .object({
    summary: z.string(),
    entries: z.int().describe('How many entries it summarizes'),
    complete: z.boolean().describe('Whether these are all entries of the session, or the newest ones'),
  })
  .meta({ id: 'MemorySummary' })
