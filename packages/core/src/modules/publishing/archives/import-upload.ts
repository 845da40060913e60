import { pipeline, type Readable } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import { fileQuotaReached, unauthenticated } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { type BlobStore, newBlobKey } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { JobService } from '../../jobs/index.ts'
import { createByteMeter, MEGABYTE, removeBlobs } from '../files/index.ts'
import { archiveTooLarge } from './errors.ts'
import { bytesOfImports, IMPORT, importInput, isImportable, lastImport, MAX_OPEN_IMPORTS } from './import-job.ts'

export interface ImportUploadDeps extends GuardedStorage<'files' | 'jobs'> {
  readonly clock: Clock
  readonly jobs: JobService
  readonly planLimits: PlanTable
  readonly blobs: BlobStore
  readonly toolkit: FileToolkit
  readonly onError: (error: unknown) => void
}

/**
 * Requires that an account may request an import of an archive with some bytes.
 *
 * @throws `too_many_jobs`, `file_quota_reached`
 */
export async function requireRoom(
  tx: Stores<'jobs'>,
  accountId: string,
  { jobs, maxStorageMb, size }: { readonly jobs: JobService; readonly maxStorageMb: number; readonly size: number },
): Promise<void> {
  await jobs.assertRoom(accountId, tx)
  const waiting = bytesOfImports(await jobs.listOpen(accountId, IMPORT, MAX_OPEN_IMPORTS, tx))
  const { storageBytes } = await tx.profiles.countOfAccount(accountId)
  if (storageBytes + waiting + size > maxStorageMb * MEGABYTE) {
    throw fileQuotaReached({ details: { max_storage_mb: maxStorageMb } })
  }
}

/** Stores one archive as an upload that is never committed, and requests its import. The job discards it when it ends. */
export function beginImportUpload(deps: ImportUploadDeps, caller: Caller) {
  const { write, clock, jobs, planLimits, blobs, toolkit, onError } = deps
  const { account } = caller
  const key = newBlobKey()
  const { maxStorageMb } = planLimits(account.tier).limits
  const stopping = new AbortController()
  let isRegistered = false
  let size = 0
  const tooLarge = () => archiveTooLarge({ details: { max_mb: maxStorageMb } })
  const refuse = (bytes: number) => (bytes > maxStorageMb * MEGABYTE ? tooLarge() : undefined)

  return {
    toolkit,

    /** @throws `archive_too_large` for a body that is longer than any archive may be */
    refuseLength(length: number): void {
      const refusal = refuse(length - MEGABYTE)
      if (refusal) throw refusal
    },

    async store(bytes: Readable): Promise<void> {
      const meter = createByteMeter({ refuse })
      pipeline(bytes, meter.bytes, () => {})
      try {
        if (!(await write((tx) => tx.files.createUpload({ key, accountId: account.id, createdAt: clock() })))) {
          throw unauthenticated()
        }
        isRegistered = true
        await blobs.put(key, meter.bytes, { signal: stopping.signal })
        size = meter.size()
      } catch (error) {
        meter.bytes.destroy()
        throw error
      }
    },

    /** Aborts a pending write to the blob store. */
    stop: (reason: unknown) => stopping.abort(reason),

    /** Requests the import, or a dry run of it that may keep the archive. */
    finish: ({ isDry, keep }: { readonly isDry: boolean; readonly keep: boolean }): Promise<Job> =>
      write(async (tx) => {
        const { id: accountId, tokenVersion } = await lockCaller(tx, caller)
        // Others may have been uploaded meanwhile.
        await requireRoom(tx, accountId, { jobs, maxStorageMb, size })
        const last = await lastImport(tx.jobs, accountId)
        // An archive that was kept is replaced.
        if (last && isImportable(last, last, clock()))
          await tx.files.discardUploads([importInput.parse(last.input).key])
        const input = { key, dry_run: isDry, keep: isDry && keep, token_version: tokenVersion, size }
        return jobs.add(tx, { kind: IMPORT, accountId, profileId: null, input })
      }),

    async discard(): Promise<void> {
      if (!isRegistered) return
      try {
        await write((tx) => tx.files.discardUploads([key]))
        await removeBlobs([key], { blobs, write })
      } catch (error) {
        onError(error)
      }
    },
  }
}
