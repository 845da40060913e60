import { z } from 'zod'
import { isEepError } from '../../../kernel/errors.ts'
import type { ArchiveSource } from '../../../ports/archive-format.ts'
import { type BlobStore, storageError } from '../../../ports/blob-store.ts'
import type { JobKind } from '../../../ports/job-kind.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { Importer } from './import-archive.ts'

export interface ImportJobDeps {
  readonly blobs: BlobStore
  readonly importArchive: Importer
}

export const IMPORT = 'import'
const TIMEOUT_MS = 4 * 3_600_000
const ATTEMPTS = 2

/** How many imports of an account may wait or run. */
export const MAX_OPEN_IMPORTS = 3

/** The input of an import. `token_version` is that of the account when it requested the import; `size` is of the archive. */
const importInput = z.object({
  key: z.string(),
  dry_run: z.boolean(),
  token_version: z.int(),
  size: z.int().min(0),
})

/** The bytes of the archives that these imports have stored. */
export const bytesOfImports = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, { input }) => sum + importInput.parse(input).size, 0)

/** The job that imports an uploaded archive as a new profile. */
export function importKind({ blobs, importArchive }: ImportJobDeps): JobKind {
  async function sourceOf(key: string): Promise<ArchiveSource> {
    const blob = await blobs.head(key)
    if (!blob) throw storageError()
    return {
      size: blob.size,
      async read(start, end) {
        const content = await blobs.get(key, { start, end: end - 1 })
        if (!content) throw storageError()
        return content.body
      },
    }
  }

  return {
    name: IMPORT,
    timeoutMs: TIMEOUT_MS,
    attempts: ATTEMPTS,
    sessionsOnly: true,
    isLong: true,
    oneAtATime: true,

    async run({ job, signal, progress }) {
      const { id, accountId } = job
      const { key, dry_run: isDry, token_version: tokenVersion } = importInput.parse(job.input)
      try {
        const source = await sourceOf(key)
        return await importArchive({
          id,
          accountId,
          tokenVersion,
          isDry,
          source,
          signal,
          progress: (percent) => void progress(percent),
        })
      } catch (error) {
        // The blob store may work again at the next attempt.
        if (isEepError(error) && error.code === storageError.code) throw new Error(error.message, { cause: error })
        throw error
      }
    },

    async ended(job, tx) {
      const { key } = importInput.parse(job.input)
      await requireGroup(tx, 'files').files.discardUploads([key])
    },
  }
}
