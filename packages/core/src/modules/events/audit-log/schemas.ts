import { z } from 'zod'
import { actingAppFields } from '../../../http/documents/acting-app.ts'
import { AUDIT_GATE_TYPES, AUDIT_OUTCOMES, AUDIT_TYPES } from '../../../model/audit.ts'

const MAX_PER_PAGE = 1_000
const MAX_PAGE = 1_000
const MAX_DID = 512

const position = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const moment = z.iso.datetime({ offset: true })

const profile = position.describe(
  'The id of a profile. Default: the active profile; for administrators, the logs of all profiles',
)

export const auditLogQuery = z.object({
  profile: profile.optional(),
  actor_did: z
    .string()
    .max(MAX_DID)
    .regex(/^did:[a-z0-9]+:.+$/, 'Must be a DID')
    .optional(),
  event_type: z.enum(AUDIT_TYPES).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  from: moment.optional().describe('Entries at or after this time'),
  to: moment.optional().describe('Entries before this time'),
  sort: z.enum(['asc', 'desc']).default('desc').describe('By time'),
  page: z.coerce.number().int().min(1).max(MAX_PAGE).optional().describe('Default: 1. Not together with `cursor`'),
  per_page: z.coerce.number().int().min(1).max(MAX_PER_PAGE).default(20),
  cursor: z.string().min(1).max(512).optional().describe('`next_cursor` of the page before'),
})

const chain = z.strictObject({
  position: z.int(),
  previous_hash: z.string(),
  hash: z.string(),
  hash_signature: z.string().describe('EdDSA over `hash`, base64url'),
  actor_digest: z.string(),
  actor_salt: z.string().nullable().describe('Null when the account or profile of the actor was deleted'),
  via_digest: z.string().optional().describe('Of the app in `metadata.via`'),
  via_salt: z.string().nullable().optional().describe('Null when the app was erased'),
})

export const auditLogEntry = z.strictObject({
  entry_id: z.uuid(),
  event_type: z.enum(AUDIT_TYPES),
  actor_did: z.string(),
  publisher_did: z.string(),
  timestamp: z.iso.datetime(),
  outcome: z.enum(AUDIT_OUTCOMES),
  signature: z
    .string()
    .describe(
      'EdDSA, base64url, over entry_id, event_type, actor_did, publisher_did, timestamp and outcome, joined by line feeds',
    ),
  resource: z.string().optional(),
  gate_type: z.enum(AUDIT_GATE_TYPES).optional(),
  failure_reason: z.string().optional(),
  session_token_id: z.string().optional(),
  commerce_id: z.string().optional(),
  metadata: z
    .looseObject({ chain, via: actingAppFields.optional() })
    .describe('`chain` is the place in the log, `via` the connected app; the other members depend on the event'),
})

export const auditLogPage = z
  .strictObject({
    entries: z.array(auditLogEntry),
    total: z.int().min(0),
    page: z.int().min(1),
    per_page: z.int().min(1).max(MAX_PER_PAGE),
    next_cursor: z.string().optional(),
    publisher_did: z.string().optional().describe('Absent when the entries are of several profiles'),
  })
  .meta({ id: 'AuditLog' })

export const verifyQuery = z.object({
  profile: position.optional().describe('The id of a profile. Default: the active profile'),
  from_position: position.optional().describe('Where to begin. Default: at the oldest entry'),
})

const place = z.object({
  position: z.int(),
  entry_id: z.uuid(),
  hash: z.string(),
  hash_signature: z.string().describe('A signature of `hash` by the service: proves that the log had this entry'),
})

export const verificationSchema = z
  .object({
    publisher_did: z.string(),
    ok: z.boolean(),
    count: z.int().describe('How many entries were verified'),
    first: place.nullable(),
    last: place.nullable(),
    broken: z
      .object({
        position: z.int(),
        entry_id: z.uuid().nullable().describe('Null when the entry is missing'),
        reason: z.enum([
          'missing_entry',
          'hash_mismatch',
          'previous_hash_mismatch',
          'actor_mismatch',
          'invalid_signature',
          'invalid_hash_signature',
        ]),
      })
      .nullable()
      .describe('The first place that does not verify'),
    next_position: z.int().nullable().describe('Where to continue with `from_position`; null at the end of the log'),
  })
  .meta({ id: 'AuditLogVerification' })
