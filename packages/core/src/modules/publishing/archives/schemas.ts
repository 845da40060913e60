import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import type { ListedExport } from './service.ts'

const format = z
  .enum(['zip', 'json'])
  .default('zip')
  .describe('`zip` has everything; `json` is one JSON object without the bytes of files')

export const exportBody = z
  .strictObject({
    profile_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    account: z
      .literal(true)
      .optional()
      .describe('Exports the account of the caller with all profiles that it owns, instead of one profile'),
    format,
  })
  .refine(({ profile_id: id, account }) => (id === undefined) !== (account === undefined), {
    error: 'Send either profile_id or account',
    path: ['profile_id'],
  })

export const exportsQuery = listQuery.extend({
  profile_id: z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Default: the exports of all profiles and of the account'),
})

const listedExport = z
  .object({
    id: z.uuid().describe('The id of its job'),
    profile_id: z.int().nullable().describe('Null for an export of the account'),
    format: z.enum(['zip', 'json']),
    state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    progress: z.int().min(0).max(100),
    size: z.int().nullable().describe('In bytes; null until it has succeeded'),
    sha256: z.string().nullable(),
    url: z
      .string()
      .nullable()
      .describe(
        'The download address; null until it has succeeded, when it has expired, when a later export replaced it, and without a proof of the person within ten minutes',
      ),
    expires_at: z.iso.datetime().nullable().describe('When the address expires'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ListedExport' })
export const exportList = listOf(listedExport)

/** An export in lists. Without a recent proof of the person it has no address. */
export const serializeExport = (
  { job, input, result, isDownloadable }: ListedExport,
  isProved: boolean,
): z.input<typeof listedExport> => ({
  id: job.id,
  profile_id: job.profileId,
  format: input.format,
  state: job.status,
  progress: job.progress,
  size: result?.size ?? null,
  sha256: result?.sha256 ?? null,
  url: result && isDownloadable && isProved ? result.url : null,
  expires_at: result?.expires_at.toISOString() ?? null,
  error: job.error,
  created_at: job.createdAt.toISOString(),
  finished_at: job.finishedAt?.toISOString() ?? null,
})

export const exportParams = z.object({
  jobId: z.string().min(1).max(128).meta({ format: 'uuid' }),
  blob: z.string().min(1).max(128),
})

export const exportQuery = z.object({
  expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  signature: z.string().max(128),
})

/** An export in the format `json`. */
export const exportedData = z.looseObject({}).meta({ id: 'ExportedData' })

const flag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).default(false)

/** The fields of the form, in addition to the file. */
export const importFields = z.strictObject({
  dry_run: flag.describe('True reports what would be imported, and changes nothing'),
  keep: flag.describe('True keeps the archive of a dry run for 12 hours; `POST /import/{jobId}` imports it'),
})

export const importParams = z.object({ jobId: z.string().min(1).max(128).meta({ format: 'uuid' }) })

/** The form in the OpenAPI document. */
export const importForm = importFields.extend({
  file: z.string().min(1).meta({ format: 'binary', description: 'An export in the format `zip`' }),
})
