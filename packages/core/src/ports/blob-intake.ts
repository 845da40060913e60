import { pipeline, type Readable, Transform } from 'node:stream'
import { type BlobPutOptions, incompleteUpload } from './blob-store.ts'

/** The body of a `put`, wrapped for the store. */
export interface BlobIntake {
  /** Read it once. It fails when the body fails or ends early, is aborted, or does not have the announced size. */
  readonly bytes: Readable
  /** Returns the number of bytes received so far. */
  size(): number
  /** Stops reading because the store failed, and destroys the body. */
  stop(): void
  /** Returns the error of the body, which `put` must throw; undefined when the body did not fail, or the store stopped it. */
  failure(): unknown
}

/**
 * For stores: counts the bytes of a `put`, observes its signal, and distinguishes errors of the body from errors of the
 * store.
 */
export function takeInBlob(body: Readable, { size, signal }: BlobPutOptions = {}): BlobIntake {
  let count = 0
  let failure: unknown
  let stopped = false
  const fail = (error: unknown) => {
    if (!stopped) failure ??= error
    stopped = true
    return failure instanceof Error ? failure : new Error('The put was aborted', { cause: failure })
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
  // A store that has stopped reading no longer has an error listener.
  bytes.on('error', () => {})

  const abort = () => bytes.destroy(fail(signal?.reason))
  signal?.addEventListener('abort', abort, { once: true })
  bytes.once('close', () => signal?.removeEventListener('abort', abort))

  // Set before `bytes` fails, so that the reader can get the reason.
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
