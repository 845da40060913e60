import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { unsupportedMediaType } from '../../../http/pipeline/error-handler.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import { readForm } from '../files/index.ts'
import { importFields } from './schemas.ts'
import type { ArchiveService } from './service.ts'

/** Stores the archive of a form, and requests its import. Stores nothing when it fails. */
export async function takeArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  archives: ArchiveService,
): Promise<Job> {
  const { body, headers } = request
  const upload = await archives.beginImport(callerOf(request))
  try {
    const length = headers['content-length']
    if (length !== undefined) upload.refuseLength(Number(length))
    if (!(body instanceof Readable)) throw unsupportedMediaType({ message: 'Send a form as multipart/form-data' })
    const fields: Record<string, string> = {}
    let count = 0
    const readers = {
      maxFiles: 1,
      field(name: string, value: string) {
        if (Object.hasOwn(fields, name)) throw validationFailed({ message: `body/${name}: Sent twice` })
        Object.defineProperty(fields, name, { value, enumerable: true })
      },
      async file(_filename: string, bytes: Readable) {
        count += 1
        await upload.store(bytes)
      },
      failed: upload.stop,
    }
    await readForm(body, headers, readers, upload.toolkit)
    const result = importFields.safeParse(fields)
    if (!result.success) throw invalidInput(result.error, 'body')
    if (count === 0) throw validationFailed({ message: 'body/file: Required' })
    const { dry_run: isDry, keep } = result.data
    return await upload.finish({ isDry, keep })
  } catch (error) {
    await upload.discard()
    // Does not wait for the rest of the body.
    if (body instanceof Readable && !body.readableEnded) reply.header('connection', 'close')
    throw error
  }
}
