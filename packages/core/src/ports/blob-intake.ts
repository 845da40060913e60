import { pipeline, type Readable, Transform } from 'node:stream'
import { type BlobPutOptions, incompleteUpload } from './blob-store.ts'

/** The body of a put as a store reads it. */
export interface BlobIntake {
  /** To be read once. Fails when the body fails or breaks off, is aborted, or is not as long as announced. */
  readonly bytes: Readable
  /** How many bytes have come. */
  size(): number
  /** Ends it because the store failed; the body is destroyed. */
  stop(): void
  /** Why the body did not come to its end, which is what `put` throws; undefined when the store ended it, or it did not fail. */
  failure(): unknown
}

/** For stores: counts the body of a put, watches its signal, and distinguishes errors of the body from errors of the store. */
export function takeInBlob(body: Readable, { size, signal }: BlobPutOptions = {}): BlobIntake {
  let count = 0
  let failure: unknown
  let stopped = false
  const fail = (error: unknown) => {
    if (!stopped) failure ??= error
    stopped = true
    return failure instanceof Error ? failure : new Error('The put was given up', { cause: failure })
  }

  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length
      if (size !== undefined && count > size) done(fail(incompleteUpload()))
      else done(null, chunk)
    },
    flush(done) {
      if (size !== undefined && count < size) done(fail(incompleteUpload()))
      else done()
    },
  })
  // A store that has stopped reading does not listen any more.
  bytes.on('error', () => {})

  const abort = () => bytes.destroy(fail(signal?.reason))
  signal?.addEventListener('abort', abort, { once: true })
  bytes.once('close', () => signal?.removeEventListener('abort', abort))

  // Before `bytes` fails, so that the reader finds the reason.
  body.once('error', fail)
  body.once('close', () => {
    if (!body.readableEnded) fail(incompleteUpload())
  })
  pipeline(body, bytes, (error) => {
    if (error) fail(body.errored ?? incompleteUpload())
  })
  if (signal?.aborted) abort()

  return {
    bytes,
    size: () => count,
    failure: () => failure,
    stop() {
      stopped = true
      bytes.destroy()
    },
  }
}
