import { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { ArchiveSource } from '../../../ports/archive-format.ts'
import { type BlobStore, storageError } from '../../../ports/blob-store.ts'
import type { JobKind } from '../../../ports/job-kind.ts'
import type { Job, JobReader } from '../../../ports/storage/jobs.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { Importer } from './import-archive.ts'

export interface ImportJobDeps {
  readonly clock: Clock
  readonly blobs: BlobStore
  readonly importArchive: Importer
}

export const IMPORT = 'import'
const TIMEOUT_MS = 4 * 3_600_000
const ATTEMPTS = 2

/** How many imports of an account may wait or run. */
export const MAX_OPEN_IMPORTS = 3
/** How long after the request of a dry run its archive can be imported. The sweeper of files deletes it within a day. */
const KEPT_MS = 12 * HOUR_MS

/**
 * The input of an import. `token_version` is that of the account when it requested the import; `size` is of the archive. `keep`: whether a
 * dry run that succeeds keeps the archive, so that it can be imported.
 */
export const importInput = z.object({
  key: z.string(),
  dry_run: z.boolean(),
  keep: z.boolean().default(false),
  token_version: z.int(),
  size: z.int().min(0),
})

/** Returns the last import that an account requested. */
export const lastImport = async (jobs: JobReader, accountId: string): Promise<Job | undefined> =>
  (await jobs.listOfAccount(accountId, { kind: IMPORT }, { limit: 1 })).items[0]

/** Whether the archive of an import is kept, unless a later import of the account was requested. */
const keepsArchive = ({ status, input, createdAt }: Job, now: Date): boolean => {
  const { dry_run: isDry, keep } = importInput.parse(input)
  return status === 'succeeded' && isDry && keep && now.getTime() < createdAt.getTime() + KEPT_MS
}

/** Whether the archive of a dry run can still be imported: it was kept, for at most 12 hours, and no later import was requested. */
export const isImportable = (job: Job, last: Pick<Job, 'id'> | undefined, now: Date): boolean =>
  last?.id === job.id && keepsArchive(job, now)

/** The bytes of the archives that these imports have stored. */
export const bytesOfImports = (jobs: readonly Job[]): number =>
  jobs.reduce((sum, { input }) => sum + importInput.parse(input).size, 0)

/** The job that imports an uploaded archive as a new profile. */
export function importKind({ clock, blobs, importArchive }: ImportJobDeps): JobKind {
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
      const { jobs } = requireGroup(tx, 'jobs')
      if (isImportable(job, await lastImport(jobs, job.accountId), clock())) return
      await requireGroup(tx, 'files').files.discardUploads([key])
    },
  }
}
