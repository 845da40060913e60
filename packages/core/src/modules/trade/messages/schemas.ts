import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { BLANK, isBlank, isStorable, line, STORABLE } from '../../../kernel/text-fields.ts'
import { profileSummary } from '../../profiles/profiles/index.ts'

/** The longest message, in characters (code points). */
export const MAX_MESSAGE_LENGTH = 5_000

/** Returns the schema of a message text of at most `max` characters. */
export const messageText = (max: number) =>
  z
    .string()
    .min(1)
    // A character has at most two UTF-16 code units, which zod counts.
    .max(2 * max)
    .refine((text) => text.length <= max || [...text].length <= max, `At most ${max} characters`)
    .refine(isStorable, STORABLE)
    .refine((text) => !isBlank(text), BLANK)
    .meta({ maxLength: max })

export const id = z.string().max(64).meta({ format: 'uuid' })
const format = z.enum(['json', 'markdown']).optional().describe('Takes precedence over Accept. Default: JSON')

export const clientId = line(128).describe(
  'Chosen by the client. A repeated client_id of a sender returns the earlier message',
)

/** A profile, by address or id. */
export const recipient = z.union([
  z
    .string()
    .max(80)
    .regex(/^[a-z]{1,8}\/[^/\s]{1,64}$/, 'Must be an address such as u/ada'),
  z.int().min(1),
])

export const messageBody = z.strictObject({ body: messageText(MAX_MESSAGE_LENGTH), client_id: clientId.optional() })
export const conversationBody = messageBody.extend({
  to: recipient.describe('The address of a profile, `u/ada`, or its id'),
})
export const readBody = z.strictObject({ up_to: id.describe('The id of the last message that was read') })

export const conversationParams = z.object({ id })
export const messageParams = conversationParams.extend({ messageId: id })
export const conversationsQuery = listQuery.extend({
  format,
  blocked: z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => value === 'true')
    .describe('Whether to list only those in which the acting profile blocks the other one'),
})
export const messagesQuery = listQuery.extend({
  format,
  order: z.enum(['asc', 'desc']).default('desc').describe('Default: newest first'),
  after_seq: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})

const moment = z.iso.datetime()

export const messageSchema = z
  .object({
    id: z.uuid(),
    conversation_id: z.uuid(),
    seq: z.int().describe('Sequence number in the conversation, from 1, the same for both sides'),
    kind: z.enum(['message', 'negotiation']),
    sender_profile_id: z.int().nullable().describe('Null for entries of the service'),
    is_own: z.boolean().describe('Whether the acting profile sent it'),
    client_id: z.string().nullable().describe('Shown to the sender only'),
    state: z.enum(['sent', 'deleted', 'erased']).describe('`erased` when the profile that wrote it was deleted'),
    body: z.string().nullable(),
    negotiation: z
      .object({ negotiation_id: z.string(), action: z.string(), state: z.string(), version: z.int() })
      .nullable()
      .describe('The negotiation move, for entries of kind `negotiation`'),
    created_at: moment,
    deleted_at: moment.nullable(),
  })
  .meta({ id: 'Message' })
export const messageList = listOf(messageSchema)

export const conversationSchema = z
  .object({
    id: z.uuid(),
    profile_id: z.int().describe('The acting profile'),
    participant: profileSummary
      .omit({ avatar_url: true })
      .nullable()
      .describe('The other profile; null when it was deleted'),
    is_blocked: z.boolean().describe('Whether the acting profile blocks the other profile'),
    unread_count: z.int().describe('Counted up to 1,000'),
    last_message: messageSchema.nullable(),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'Conversation' })
export const conversationList = listOf(conversationSchema)
export const sentSchema = z
  .object({ conversation: conversationSchema, message: messageSchema })
  .meta({ id: 'SentMessage' })
