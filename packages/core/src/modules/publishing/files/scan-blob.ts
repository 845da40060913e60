import { isEepError } from '../../../kernel/errors.ts'
import { type BlobStore, storageError } from '../../../ports/blob-store.ts'
import type { ScannedFile, Scanner, ScanVerdict } from '../../../ports/scanner.ts'
import { fileInfected, scannerUnavailable } from './errors.ts'

export interface ScanDeps {
  readonly scanner: Scanner
  readonly blobs: BlobStore
  /** Called with the finding, for the log of the operator. */
  readonly onInfected: (found: { readonly signature: string; readonly sha256: string }) => void
  /** Called with the error when the scanner cannot be used. */
  readonly onTrouble: (error: unknown) => void
  /** No scan may take longer. */
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 300_000
const RETRY_MS = 30_000

/**
 * Scans an uploaded blob before it is added to a profile.
 *
 * @throws `file_infected`; `scanner_unavailable` when they are not known to be clean; the reason of the signal
 */
export async function scanBlob(
  key: string,
  file: ScannedFile & { readonly sha256: string },
  { scanner, blobs, onInfected, onTrouble, timeoutMs = TIMEOUT_MS }: ScanDeps,
): Promise<void> {
  const content = await blobs.get(key)
  if (!content) throw storageError()
  const { body } = content
  const { size, contentType, filename, sha256 } = file
  const signal = AbortSignal.any([file.signal, AbortSignal.timeout(timeoutMs)])
  try {
    const verdict = await orAborted(scanner.scan(body, { size, contentType, filename, signal }), signal)
    if (verdict.verdict === 'infected') {
      onInfected({ signature: verdict.signature, sha256 })
      throw fileInfected({ details: { filename, signature: verdict.signature } })
    }
    if (verdict.verdict !== 'clean') throw new Error('The scanner returned an unknown verdict')
    if (!body.readableEnded) throw new Error('The scanner reported clean without reading the whole file')
  } catch (error) {
    if (isEepError(error) && error.code === fileInfected.code) throw error
    if (file.signal.aborted) throw file.signal.reason
    // A blob store that cannot read is not a failure of the scanner.
    if (isEepError(body.errored)) throw body.errored
    onTrouble(error)
    throw scannerUnavailable({ retryAfterMs: RETRY_MS, cause: error })
  } finally {
    body.destroy()
  }
}

function orAborted(scan: Promise<ScanVerdict>, signal: AbortSignal): Promise<ScanVerdict> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([scan, promise]).finally(() => signal.removeEventListener('abort', abort))
}
