import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
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

const fileRecord = uploaded
  .extend({
    content_type: z.string(),
    encoding: textEncoding.nullable().describe('Of a text that is not UTF-8; null for other files'),
    size: z.int(),
    sha256: z.string(),
    created_at: z.string(),
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
  created_at: stored.createdAt.toISOString(),
})
