import { z } from 'zod'
import { listOf } from '../../../http/documents/lists.ts'
import { line } from '../../../kernel/text-fields.ts'
import { KEY_PREFIX } from './key-text.ts'

/** Later times have years of more than four digits in some time zone. */
const LAST_YEAR = 9999

export const keyParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })

export const rotateQuery = z.object({
  cascade: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` also revokes the keys that were created with the replaced one. Default: false'),
})

/** The body that creates a key with some of `scopes`. */
export const newKeyBody = (scopes: readonly string[]) =>
  z.strictObject({
    name: line(64),
    scopes: z.array(z.enum(scopes)).min(1).max(scopes.length).optional().describe('Every `read:` scope when left out'),
    expires_at: z.iso
      .datetime({ offset: true })
      .max(64)
      .refine((text) => new Date(text).getUTCFullYear() <= LAST_YEAR, 'Must be before the year 10000')
      .nullable()
      .optional()
      .describe('When it expires. Null or absent: never'),
    profile_id: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .describe('The only profile it acts for. Null or absent: all profiles'),
  })

const keyFields = {
  id: z.int(),
  name: z.string(),
  masked: z.string().meta({ examples: ['eep_abcd…wxyz'] }),
  prefix: z.literal(KEY_PREFIX),
  scopes: z.array(z.string()),
  profile_id: z.int().nullable(),
  expires_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
}

export const issuedKeySchema = z
  .object({
    ...keyFields,
    key: z.string().describe('The key itself; it is shown only once'),
  })
  .meta({ id: 'IssuedApiKey' })

export const keyListSchema = listOf(
  z.object({
    ...keyFields,
    last_used_at: z.iso.datetime().nullable(),
    usage: z.object({ total: z.int(), last_24h: z.int(), last_30d: z.int() }),
  }),
).meta({ id: 'ApiKeyList' })

export const revokedSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
