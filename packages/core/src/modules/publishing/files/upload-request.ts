import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unsupportedMediaType } from '../../../http/pipeline/error-handler.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import { type FormReaders, readForm } from './form.ts'
import { uploadFields } from './schemas.ts'
import type { FileService } from './service.ts'
import type { Upload } from './upload.ts'

/** Uploads the files of a form. Stores nothing when it fails. */
export async function takeUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileService,
): Promise<readonly StoredFile[]> {
  const caller = callerOf(request)
  const upload = files.begin(caller)
  const fields: Record<string, string> = {}
  const target = () => {
    const result = uploadFields.safeParse(fields)
    if (!result.success) throw invalidInput(result.error, 'body')
    return files.target(result.data.username, result.data.profile_type, caller)
  }
  let count = 0
  return receive(request, reply, upload, {
    maxFiles: upload.maxFiles,
    field(name, value) {
      if (Object.hasOwn(fields, name)) throw sentTwice(name)
      Object.defineProperty(fields, name, { value, enumerable: true })
    },
    file(filename, bytes) {
      count += 1
      // With the profile first, a forbidden upload is rejected before its bytes are sent.
      return upload.add(filename, bytes, async () => fields.username !== undefined && target())
    },
    async finish() {
      const profile = await target()
      if (count === 0) throw validationFailed({ message: 'body/file: Required' })
      return upload.finish(profile)
    },
  })
}

/** Replaces the content of a file by that of a form. Changes nothing when it fails. */
export async function takeReplacement(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileService,
  id: number,
): Promise<StoredFile> {
  const { upload, replaced } = await files.beginReplacement(id, callerOf(request), request.headers['if-match'])
  let count = 0
  return receive(request, reply, upload, {
    // A second one is refused here, not as a limit of the plan.
    maxFiles: 2,
    field(name) {
      throw validationFailed({ message: `body/${name}: Unknown field` })
    },
    async file(filename, bytes) {
      count += 1
      if (count > 1) throw sentTwice('file')
      await upload.add(filename, bytes, async () => {})
    },
    async finish() {
      if (count === 0) throw validationFailed({ message: 'body/file: Required' })
      return upload.replace(replaced)
    },
  })
}

const sentTwice = (name: string) => validationFailed({ message: `body/${name}: Sent twice` })

/** Reads the form of a request. Discards the upload when it fails. */
async function receive<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  upload: Upload,
  { finish, ...readers }: Omit<FormReaders, 'failed'> & { readonly finish: () => Promise<Result> },
): Promise<Result> {
  const { body } = request
  const length = request.headers['content-length']
  const refusal = upload.refuseLength(length === undefined ? undefined : Number(length))
  if (refusal) {
    reply.header('connection', 'close')
    throw refusal
  }
  if (!(body instanceof Readable)) throw unsupportedMediaType({ message: 'Send a form as multipart/form-data' })
  try {
    await readForm(body, request.headers, { ...readers, failed: upload.stop }, upload.toolkit)
    return await finish()
  } catch (error) {
    await upload.discard()
    // Does not wait for the rest of the body.
    if (!body.readableEnded) reply.header('connection', 'close')
    throw error
  }
}
