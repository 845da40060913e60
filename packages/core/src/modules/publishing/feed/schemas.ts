import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { formatQuery } from '../../../http/documents/negotiation.ts'
import { BLANK, isBlank, isStorable, STORABLE } from '../../../kernel/text-fields.ts'
import { profileSummary } from '../../profiles/profiles/index.ts'
import { fitsPost, MAX_BYTES, MAX_CODE_POINTS, MAX_GRAPHEMES } from './post-text.ts'

const MAX_ID = Number.MAX_SAFE_INTEGER
export const MAX_ATTACHMENTS = 4

const id = z.int().min(1).max(MAX_ID)
const CONTROL = /[^\P{Cc}\n\t]/u

/** The text of a post. It may be blank where the post has attachments: see {@link saysSomething}. */
export const postText = z
  .string()
  .max(MAX_BYTES)
  .describe(
    `At most ${MAX_GRAPHEMES} characters (grapheme clusters), of at most ${MAX_CODE_POINTS} code points each, in at most ${MAX_BYTES} bytes of UTF-8. Blank only with attachments`,
  )
  .overwrite((text) => text.replaceAll(/\r\n?/g, '\n'))
  .refine((text) => isStorable(text) && !CONTROL.test(text), STORABLE)
  .refine(
    fitsPost,
    `At most ${MAX_GRAPHEMES} characters of at most ${MAX_CODE_POINTS} code points each, in ${MAX_BYTES} bytes`,
  )

/** Whether a post has a text or an attachment. */
export const saysSomething = ({
  body,
  attachments = [],
}: {
  body: string
  attachments?: readonly number[] | undefined
}) => attachments.length > 0 || !isBlank(body)

export const postBody = z
  .strictObject({
    body: postText,
    reply_to: id.nullish().describe('The id of the post that this one replies to'),
    attachments: z
      .array(id)
      .max(MAX_ATTACHMENTS)
      .refine((ids) => new Set(ids).size === ids.length, 'Contains a file twice')
      .optional()
      .describe('Ids of files of the acting profile, in the order in which they are shown'),
  })
  .refine(saysSomething, { path: ['body'], message: BLANK })

export const postParams = z.object({ id: z.coerce.number().int().min(1).max(MAX_ID) })
export const profileFeedParams = z.object({ prefix: z.string(), slug: z.string() })
export const hashtagParams = z.object({ tag: z.string().min(1).max(256) })
export const feedQuery = listQuery.extend(formatQuery.shape)

const span = z.object({
  start: z.int().describe('Start in the body, in UTF-16 code units'),
  end: z.int().describe('End, exclusive'),
  text: z.string(),
})

const entity = z.discriminatedUnion('type', [
  span.extend({ type: z.literal('hashtag'), hashtag: z.string().describe('The folded form, as in `hashtags`') }),
  span.extend({
    type: z.literal('mention'),
    profile: profileSummary.pick({ id: true, did: true, profile_type: true, username: true, url: true }),
  }),
  span.extend({ type: z.literal('link'), url: z.string() }),
])

const counts = z.object({ likes: z.int(), replies: z.int() })

export const postSchema = z
  .object({
    id: z.int(),
    url: z.string(),
    profile: profileSummary,
    body: z.string(),
    hashtags: z.array(z.string()).describe('Distinct hashtags in folded form (NFKC, without case)'),
    entities: z.array(entity),
    reply_to: z.int().nullable().describe('The id of the post that this one replies to. It may have been deleted'),
    attachments: z.array(
      z.object({ id: z.int(), filename: z.string(), content_type: z.string(), size: z.int(), url: z.string() }),
    ),
    created_at: z.iso.datetime(),
    counts,
  })
  .meta({ id: 'Post' })
export type PostRecord = z.input<typeof postSchema>

export const feedList = listOf(postSchema)
  .extend({
    pagination: listOf(postSchema).shape.pagination.extend({
      total: z.int().describe('Number of posts in the list, counted up to 1,000'),
    }),
  })
  .meta({ id: 'PostList' })

export const reactionBody = z.strictObject({ kind: z.literal('like').optional() }).nullish()
export const likeState = z.object({ counts, me: z.object({ like: z.boolean() }) }).meta({ id: 'LikeState' })
export const doneSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })

export const hiddenBody = z.strictObject({ hidden: z.boolean() })
export const hiddenSchema = z.object({ id: z.int(), hidden: z.boolean() }).meta({ id: 'HiddenPost' })

export const postingParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })
export const postingBody = z.strictObject({ open: z.boolean() })
export const postingSchema = z.object({ account_id: z.string(), open: z.boolean() }).meta({ id: 'PostingPermission' })
