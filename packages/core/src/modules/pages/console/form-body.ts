import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { ScreenTexts, SentFile } from '../../../framework/module/screen.ts'
import { payloadTooLarge } from '../../../http/pipeline/error-handler.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'

/** A form of a screen as it was sent. */
export interface SentForm {
  readonly texts: ScreenTexts
  /** By the names of their inputs. Inputs without a file are missing. */
  readonly files: Readonly<Record<string, SentFile>>
}

/** The largest form with a file, in bytes. */
const MAX_UPLOAD_BYTES = 12 * 1_048_576
const MAX_FIELDS = 64
const MAX_FIELD_BYTES = 65_536
const MAX_FILES = 4

/** The files of bodies: kept apart, because the body is compared with that of a form that is sent again. */
const filesOf = new WeakMap<object, Readonly<Record<string, SentFile>>>()

/** Returns texts by their names; those of a name that is sent more than once as a list. */
function collect(entries: Iterable<readonly [string, string]>): ScreenTexts {
  const texts = new Map<string, string[]>()
  for (const [name, text] of entries) {
    const before = texts.get(name)
    if (before) before.push(text)
    else texts.set(name, [text])
  }
  return Object.fromEntries(
    Array.from(texts, ([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  )
}

/** Reads a form without files. */
export const readUrlEncoded = (sent: URLSearchParams): object => collect(sent)

/** Returns the form of a body that one of the readers has made. */
export function sentForm(body: unknown): SentForm {
  if (typeof body !== 'object' || body === null) return { texts: {}, files: {} }
  return { texts: body as ScreenTexts, files: filesOf.get(body) ?? {} }
}

/**
 * Reads a form with files into memory.
 *
 * @throws `payload_too_large`, `validation_failed`
 */
export async function readMultipart(
  payload: Readable,
  headers: IncomingHttpHeaders,
  createFormParser: FileToolkit['createFormParser'],
): Promise<object> {
  const texts: (readonly [string, string])[] = []
  const files: Record<string, SentFile> = {}
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const { stream, events } = parserOf(headers, createFormParser)
  const reading: Promise<void>[] = []
  const parts: Readable[] = []
  let failure: unknown

  /** Refuses the form, and stops reading it: the rest of the body is neither parsed nor kept. */
  const fail = (error: unknown) => {
    if (failure !== undefined) return
    failure = error
    payload.unpipe(stream)
    for (const part of parts) part.destroy()
    reject(error)
  }
  const invalid = (cause?: unknown) => fail(validationFailed({ message: 'body: The form is not valid', cause }))
  const tooMany = () => fail(validationFailed({ message: 'body: Too many fields' }))
  events.on('field', (name, value) => texts.push([name, value]))
  const readFile = async (name: string, bytes: Readable, filename: string | undefined) => {
    const chunks: Buffer[] = []
    for await (const chunk of bytes) chunks.push(chunk as Buffer)
    const content = Buffer.concat(chunks)
    // A browser sends an input without a file as an empty one.
    if (!filename || content.length === 0) return
    Object.defineProperty(files, name, { value: { filename, bytes: content }, enumerable: true, configurable: true })
    texts.push([name, sha256(content)])
  }
  events.on('file', (name, bytes, filename) => {
    // The parser reports a form that is cut off on its file, too.
    bytes.on('error', invalid)
    if (failure !== undefined) return void bytes.resume()
    parts.push(bytes)
    reading.push(readFile(name, bytes, filename).catch(fail))
  })
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) events.on(event, tooMany)
  events.on('error', invalid)
  events.on('finish', () => resolve())
  let length = 0
  payload.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_UPLOAD_BYTES) fail(payloadTooLarge())
  })
  payload.on('error', fail)
  payload.once('close', () => {
    if (!payload.readableEnded) invalid()
  })
  payload.pipe(stream)
  await ended
  await Promise.all(reading)
  if (failure !== undefined) throw failure
  const body = collect(texts)
  filesOf.set(body, files)
  return body
}

function parserOf(headers: IncomingHttpHeaders, createFormParser: FileToolkit['createFormParser']) {
  try {
    return createFormParser({
      headers,
      isFile: (_name, filename) => filename !== undefined,
      limits: {
        files: MAX_FILES,
        fields: MAX_FIELDS,
        parts: MAX_FILES + MAX_FIELDS,
        fieldNameSize: 64,
        fieldSize: MAX_FIELD_BYTES,
        headerPairs: 16,
        headerSize: 4_096,
      },
    })
  } catch (cause) {
    throw validationFailed({ message: 'body: The Content-Type of the form has no valid boundary', cause })
  }
}
