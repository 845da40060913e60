import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unsupportedMediaType } from '../../../http/pipeline/error-handler.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import { readForm } from './form.ts'
import { uploadFields } from './schemas.ts'
import type { FileService } from './service.ts'

/** Uploads the files of a form. Stores nothing when it fails. */
export async function takeUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileService,
): Promise<readonly StoredFile[]> {
  const caller = callerOf(request)
  const upload = files.begin(caller)
  const { body } = request
  const length = request.headers['content-length']
  const refusal = upload.refuseLength(length === undefined ? undefined : Number(length))
  if (refusal) {
    reply.header('connection', 'close')
    throw refusal
  }
  if (!(body instanceof Readable)) throw unsupportedMediaType({ message: 'Send a form as multipart/form-data' })

  const fields: Record<string, string> = {}
  const target = () => {
    const result = uploadFields.safeParse(fields)
    if (!result.success) throw invalidInput(result.error, 'body')
    return files.target(result.data.username, result.data.profile_type, caller)
  }
  let count = 0
  try {
    await readForm(
      body,
      request.headers,
      {
        maxFiles: upload.maxFiles,
        field(name, value) {
          if (Object.hasOwn(fields, name)) throw validationFailed({ message: `body/${name}: Sent twice` })
          Object.defineProperty(fields, name, { value, enumerable: true })
        },
        file(filename, bytes) {
          count += 1
          // With the profile first, a forbidden upload is rejected before its bytes are sent.
          return upload.add(filename, bytes, async () => fields.username !== undefined && target())
        },
        failed: upload.stop,
      },
      upload.toolkit,
    )
    const profile = await target()
    if (count === 0) throw validationFailed({ message: 'body/file: Required' })
    return await upload.finish(profile)
  } catch (error) {
    await upload.discard()
    // Does not wait for the rest of the body.
    if (!body.readableEnded) reply.header('connection', 'close')
    throw error
  }
}
