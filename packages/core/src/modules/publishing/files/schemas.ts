import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { isStorable, line, STORABLE } from '../../../kernel/text-fields.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { fileUrl } from '../../../model/resource-addresses.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import { usernameSchema } from '../../profiles/profiles/index.ts'

const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

export const fileParams = z.object({ id })
export const contentParams = z.object({ fileId: id })
export const fileListParams = z.object({ prefix: z.string(), slug: z.string() })
export { listQuery as fileListQuery }
export const managedFilesQuery = listQuery.extend({ profile_id: id })

const file = z.string().min(1).meta({ format: 'binary', description: 'Once, or several times for several files' })

/** The fields of the form, in addition to the files. */
export const uploadFields = z.strictObject({
  username: usernameSchema.describe('The profile that gets the file'),
  profile_type: z.enum(PROFILE_TYPES).optional().describe('Required when several profiles have the username'),
})

const MAX_ALT_LENGTH = 1_000
/** What an image shows. */
export const altText = z.string().max(MAX_ALT_LENGTH).refine(isStorable, STORABLE)

/** The body of `PATCH /manage/files/{id}`. */
export const fileChanges = z
  .strictObject({
    filename: line(255)
      .optional()
      .describe('It promises the type that the file has: `photo.jpg` does not become `photo.pdf`'),
    alt: altText
      .nullable()
      .optional()
      .describe('What an image shows, for readers who do not see it; null or empty for none'),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'Name at least one field to change')

/** The form of `PUT /manage/files/{id}/content`. */
export const contentForm = z.strictObject({
  file: z.string().min(1).meta({ format: 'binary', description: 'One file' }),
})

/** The form in the OpenAPI document. */
export const uploadForm = uploadFields.extend({ file })

const uploaded = z.object({ id: z.int(), filename: z.string(), url: z.url() })

export const uploadAnswer = z.union([uploaded, z.object({ files: z.array(uploaded) })]).meta({ id: 'UploadedFile' })

/** The encoding of a text that is not UTF-8. */
export const textEncoding = z
  .object({
    name: z.string().describe('As named by the Encoding standard'),
    guessed: z.boolean().describe('Whether it was guessed from the bytes and the language of the owner'),
  })
  .meta({ id: 'TextEncoding' })

/** A file in lists. */
export const fileRecord = uploaded
  .extend({
    content_type: z.string(),
    encoding: textEncoding.nullable().describe('Of a text that is not UTF-8; null for other files'),
    size: z.int(),
    sha256: z.string(),
    alt: z.string().nullable().describe('What an image shows'),
    created_at: z.string(),
    replaced_at: z.string().nullable().describe('When its content was last replaced'),
  })
  .meta({ id: 'File' })
export const fileList = listOf(fileRecord)

export const serializeUpload = (
  { id: fileId, filename }: StoredFile,
  publicUrl: string,
  key: string | undefined,
): z.input<typeof uploaded> => ({
  id: fileId,
  filename,
  url: fileUrl(publicUrl, fileId, key),
})

/** Only a byte order mark identifies an encoding other than UTF-8, and only UTF-16 has one. */
export const serializeEncoding = (encoding: string | null): z.input<typeof textEncoding> | null =>
  encoding === null ? null : { name: encoding, guessed: !encoding.startsWith('utf-') }

/** A file in lists and profiles. */
export const serializeStoredFile = (
  stored: StoredFile,
  publicUrl: string,
  key: string | undefined,
): z.input<typeof fileRecord> => ({
  ...serializeUpload(stored, publicUrl, key),
  content_type: stored.contentType,
  encoding: serializeEncoding(stored.encoding),
  size: stored.size,
  sha256: stored.sha256,
  alt: stored.alt,
  created_at: stored.createdAt.toISOString(),
  replaced_at: stored.replacedAt?.toISOString() ?? null,
})
