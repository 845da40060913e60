import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { BLANK, isBlank, prose } from '../../../kernel/text-fields.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { REPORT_STATUSES, REPORT_SUBJECTS } from '../../../ports/storage/reports.ts'
import { messageId } from '../../trade/messages/index.ts'

export const MAX_REASON_LENGTH = 1_000
export const MAX_NOTE_LENGTH = 2_000

const says = (max: number) =>
  prose(max)
    .min(1)
    .refine((text) => !isBlank(text), BLANK)

export const postReportBody = z.strictObject({ reason: says(MAX_REASON_LENGTH) })
export const conversationReportBody = postReportBody.extend({
  message_id: messageId.optional().describe('A message of the other profile. Default: reports the conversation'),
})

/** The note of a form; null for an empty one. */
export const noteText = z
  .string()
  .transform((text) => (isBlank(text) ? null : text.replaceAll('\r\n', '\n')))
  .pipe(says(MAX_NOTE_LENGTH).nullable())

export const reportParams = z.object({ id: messageId })
export const reportsQuery = listQuery.extend({ status: z.enum(REPORT_STATUSES).optional() })
export const decisionBody = z.strictObject({
  status: z.enum(REPORT_STATUSES),
  note: says(MAX_NOTE_LENGTH).nullish().describe('Default: keeps the note; null removes it'),
})

const moment = z.iso.datetime()
const subject = z.object({
  type: z.enum(REPORT_SUBJECTS),
  id: z.string().describe('The id of the conversation, message or post'),
})

/** A report as its reporter sees it. */
export const ownReportSchema = z
  .object({
    id: z.uuid(),
    subject,
    status: z.enum(REPORT_STATUSES),
    reason: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'OwnReport' })

const profile = z.object({
  id: z.int(),
  did: z.string(),
  profile_type: z.enum(PROFILE_TYPES),
  username: z.string(),
  url: z.string(),
  owner_account_id: z.uuid(),
})

/** A report as administrators see it. */
export const reportSchema = ownReportSchema
  .extend({
    evidence: z
      .string()
      .nullable()
      .describe(
        'The text of the message or post when it was reported; for a conversation, the last messages of the reported profile. Null when there is none or the profile was deleted',
      ),
    reporter_account_id: z.uuid().nullable().describe('Null when the account was deleted'),
    reporter: profile
      .nullable()
      .describe('The profile that the reporter acted for; null for posts, and when it was deleted'),
    reported: profile.nullable().describe('The reported profile; null when it was deleted'),
    note: z.string().nullable(),
    updated_at: moment,
  })
  .meta({ id: 'Report' })
export const reportList = listOf(reportSchema)
