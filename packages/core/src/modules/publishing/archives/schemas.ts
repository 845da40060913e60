import { z } from 'zod'

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

/** The fields of the form, in addition to the file. */
export const importFields = z.strictObject({
  dry_run: z
    .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })
    .default(false)
    .describe('True reports what would be imported, and changes nothing'),
})

/** The form in the OpenAPI document. */
export const importForm = importFields.extend({
  file: z.string().min(1).meta({ format: 'binary', description: 'An export in the format `zip`' }),
})
