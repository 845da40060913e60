import { createWorkerThread } from '../../../kernel/worker-thread.ts'
import { archiveTooLarge } from './errors.ts'
import { MANIFEST_PATH } from './manifest.ts'
import type { ManifestJob } from './manifest-worker.ts'

const FILE = new URL(import.meta.url.endsWith('.ts') ? './manifest-worker.ts' : './manifest-worker.js', import.meta.url)
const TIMEOUT_MS = 60_000

/** Verifies signatures of manifests in a worker thread. */
export function createManifestVerifier() {
  const thread = createWorkerThread<ManifestJob, boolean>({ file: FILE, maxMemoryMb: 512 })

  /**
   * Whether a manifest is signed by the key that it names.
   *
   * @throws `archive_too_large` when that cannot be computed within a minute
   */
  return async function isSigned(bytes: Uint8Array): Promise<boolean> {
    const answer = await thread.run({ bytes }, TIMEOUT_MS)
    if (answer === undefined) throw archiveTooLarge({ message: `${MANIFEST_PATH}: Too large to be verified` })
    return answer
  }
}

/** Whether a manifest is signed by the key that it names. */
export type ManifestVerifier = ReturnType<typeof createManifestVerifier>
