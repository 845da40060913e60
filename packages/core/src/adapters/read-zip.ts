import { PassThrough, pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import { isEepError } from '../kernel/errors.ts'
import { type ArchiveEntry, type ArchiveSource, invalidArchive } from '../ports/archive-format.ts'

// The type of a file on Unix is in the upper half of its attributes.
const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const METHODS = [0, 8]
/** The range that is read where the library reads small parts. */
const WINDOW_BYTES = 1_048_576

/**
 * Reads ranges of the archive for the library, which has no other way to read asynchronously. The library reads the directory
 * and each header in parts of some bytes. They are served from a window, because each range of a bucket is a request.
 */
class SourceReader extends RandomAccessReader {
  readonly #source: ArchiveSource
  #window = { start: 0, bytes: Buffer.alloc(0) }

  constructor(source: ArchiveSource) {
    super()
    this.#source = source
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#load(position, position + length).then(
      (bytes) => {
        bytes.copy(target, offset)
        // Outside of the promise, which would catch what the library throws.
        setImmediate(done, null)
      },
      (error: Error) => setImmediate(done, error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const held = this.#held(start, end)
    if (held) return Readable.from([held])
    const bytes = new PassThrough()
    this.#source.read(start, end).then(
      (body) => {
        // The library may have given up meanwhile.
        if (bytes.destroyed) body.destroy()
        else pipeline(body, bytes, () => {})
      },
      (error: Error) => bytes.destroy(error),
    )
    return bytes
  }

  /** The bytes of a range that the window contains. */
  #held(start: number, end: number): Buffer | undefined {
    const { start: from, bytes } = this.#window
    return start >= from && end <= from + bytes.length ? bytes.subarray(start - from, end - from) : undefined
  }

  async #load(start: number, end: number): Promise<Buffer> {
    const held = this.#held(start, end)
    if (held) return held
    const last = Math.min(this.#source.size, Math.max(end, start + WINDOW_BYTES))
    const bytes = await buffer(await this.#source.read(start, last))
    if (bytes.length < end - start) throw new Error('unexpected end of data')
    this.#window = { start, bytes }
    return bytes.subarray(0, end - start)
  }
}

function isPlainFile(entry: Entry): boolean {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE
  return (
    !entry.fileName.endsWith('/') &&
    !entry.isEncrypted() &&
    (type === 0 || type === REGULAR) &&
    METHODS.includes(entry.compressionMethod)
  )
}

/** The library throws plain errors for what is wrong in an archive; errors of the source have a code. */
const refusalOf = (cause: unknown) =>
  isEepError(cause) ? cause : invalidArchive({ message: `The archive cannot be read: ${messageOf(cause)}`, cause })

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : 'it is damaged')

/** Reads the entries of a ZIP. */
export async function* readZip(source: ArchiveSource): AsyncGenerator<ArchiveEntry> {
  const options = { lazyEntries: true, strictFileNames: true, validateEntrySizes: true, autoClose: false }
  try {
    const zip = await fromRandomAccessReaderPromise(new SourceReader(source), source.size, options)
    for await (const entry of zip.eachEntry()) {
      yield {
        path: entry.fileName,
        size: entry.uncompressedSize,
        compressedSize: entry.compressedSize,
        isPlainFile: isPlainFile(entry),
        open: () => zip.openReadStreamPromise(entry),
      }
    }
  } catch (error) {
    throw refusalOf(error)
  }
}
