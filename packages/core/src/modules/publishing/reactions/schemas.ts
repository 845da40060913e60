import { z } from 'zod'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'

const MAX_LIMIT = 100

/** More pages than any account has reactions for; larger numbers are rejected before the query. */
const MAX_PAGE = 1_000_000

const kind = z.enum(['like', 'bookmark'])
const id = z.int().min(1)

export const pageParams = z.object({ pageId: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })
export const reactionBody = z.strictObject({ kind })
export const ownReactionsQuery = z.object({
  kind,
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(20),
})

export const reactionState = z
  .object({
    counts: z.object({ like: z.int(), bookmark: z.int() }),
    me: z.object({ like: z.boolean(), bookmark: z.boolean() }).describe('All false for anonymous visitors'),
  })
  .meta({ id: 'ReactionState' })

export const ownReactionList = z
  .object({
    data: z.array(
      z.object({
        id,
        title: z.string(),
        slug: z.string(),
        path: z.string(),
        url: z.string(),
        excerpt: z.string().nullable(),
        updated_at: z.iso.datetime(),
        profile: z.object({
          id,
          did: z.string(),
          username: z.string(),
          profile_type: z.enum(PROFILE_TYPES),
          url: z.string(),
        }),
        kind,
        reacted_at: z.iso.datetime(),
      }),
    ),
    pagination: z.object({ total: z.int(), has_more: z.boolean(), page: z.int(), limit: z.int() }),
  })
  .meta({ id: 'OwnReactionList' })
