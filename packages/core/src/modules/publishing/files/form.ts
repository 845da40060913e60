import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { validationFailed } from '../../../kernel/errors.ts'
import { isNameable, NAMEABLE } from '../../../kernel/text-fields.ts'
import { incompleteUpload } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import { batchTooLarge, uploadStalled } from './errors.ts'
import { limitStall } from './stall-timeout.ts'

export interface FormReaders {
  readonly maxFiles: number
  /** Called for each field. */
  readonly field: (name: string, value: string) => void
  /** Called for each file. The next one follows when its bytes were read. */
  readonly file: (filename: string, bytes: Readable) => Promise<void>
  /** Called immediately when parsing the form fails. */
  readonly failed: (error: unknown) => void
}

const MAX_FIELDS = 8
const MAX_FIELD_BYTES = 256
const MAX_NAME_BYTES = 64
const MAX_HEADER_BYTES = 4_096
const MAX_HEADERS = 16

const wrong = (path: string, message: string) =>
  validationFailed({
    message: `body${path}: ${message}`,
    details: { in: 'body', issues: [{ path, code: 'custom', message }] },
  })

/**
 * Reads a form as a stream, to its end.
 *
 * @throws what a reader throws, `validation_failed` for a malformed form, `incomplete_upload` when it is truncated, `upload_stalled` when it stalls; only after every reader has finished
 */
export async function readForm(
  body: Readable,
  headers: IncomingHttpHeaders,
  { maxFiles, field, file, failed }: FormReaders,
  { createFormParser }: Pick<FileToolkit, 'createFormParser'>,
): Promise<void> {
  const underWay: Promise<void>[] = []
  let current: Readable | undefined
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  let failure: unknown

  const fail = (error: unknown) => {
    if (failure !== undefined) return
    failure = error
    failed(error)
    current?.destroy(error instanceof Error ? error : undefined)
    reject(error)
  }
  // Readers may throw before the end is awaited.
  ended.catch(() => {})

  const { stream, events } = parserOf(headers, maxFiles, createFormParser)
  events.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated) return fail(wrong('', `Field names must have at most ${MAX_NAME_BYTES} bytes`))
    if (valueTruncated) return fail(wrong(`/${name}`, `At most ${MAX_FIELD_BYTES} bytes`))
    try {
      field(name, value)
    } catch (error) {
      fail(error)
    }
  })
  events.on('file', (name, bytes, filename) => {
    current = bytes
    bytes.on('error', fail)
    if (failure !== undefined) return void bytes.resume()
    if (name !== 'file') return fail(wrong(`/${name}`, 'Files must be sent in the field `file`'))
    if (typeof filename !== 'string' || filename === '') return fail(wrong('/file', 'Requires a filename'))
    if (!isNameable(filename)) return fail(wrong('/file', `The filename: ${NAMEABLE.error}`))
    underWay.push(file(filename, bytes).catch(fail))
  })
  events.on('filesLimit', () => fail(batchTooLarge({ details: { max_batch_files: maxFiles } })))
  events.on('fieldsLimit', () => fail(wrong('', `At most ${MAX_FIELDS} fields`)))
  events.on('partsLimit', () => fail(wrong('', 'Too many parts')))
  events.on('error', (cause) => fail(incompleteUpload({ cause })))
  events.on('finish', () => resolve())
  body.once('error', (cause) => fail(incompleteUpload({ cause })))
  body.once('close', () => {
    if (!body.readableEnded) fail(incompleteUpload())
  })
  body.pipe(stream)
  const stopWatching = limitStall(body, stream, () => fail(uploadStalled()))

  try {
    await ended
    await Promise.all(underWay)
    if (failure !== undefined) throw failure
  } catch {
    body.unpipe(stream)
    await Promise.all(underWay)
    throw failure
  } finally {
    stopWatching()
  }
}

function parserOf(headers: IncomingHttpHeaders, maxFiles: number, createFormParser: FileToolkit['createFormParser']) {
  try {
    return createFormParser({
      headers,
      isFile: (name, filename) => name === 'file' || filename !== undefined,
      limits: {
        files: maxFiles,
        fields: MAX_FIELDS,
        parts: maxFiles + MAX_FIELDS + 1,
        fieldNameSize: MAX_NAME_BYTES,
        fieldSize: MAX_FIELD_BYTES,
        headerPairs: MAX_HEADERS,
        headerSize: MAX_HEADER_BYTES,
      },
    })
  } catch (cause) {
    throw validationFailed({ message: 'body: The Content-Type of the form has no valid boundary', cause })
  }
}
