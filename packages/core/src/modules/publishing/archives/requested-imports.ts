import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { JobService } from '../../jobs/index.ts'
import { archivesDisabled, importNotFound } from './errors.ts'
import { IMPORT, importInput, isImportable, lastImport } from './import-job.ts'
import { type ImportReport, importReport } from './import-report.ts'
import { requireRoom } from './import-upload.ts'

export interface RequestedImportDeps extends GuardedStorage<'files' | 'jobs'> {
  readonly clock: Clock
  readonly jobs: JobService
  readonly planLimits: PlanTable
  readonly isEnabled: boolean
}

/** An import as its requester sees it. */
export interface RequestedImport {
  readonly job: Job
  readonly isDry: boolean
  /** Undefined unless it succeeded. */
  readonly report: ImportReport | undefined
  /** Whether its archive was kept by a dry run, and can be imported now. */
  readonly isImportable: boolean
}

/** The imports that accounts requested, and the import of an archive that a dry run kept. */
export function createRequestedImports({ read, write, clock, jobs, planLimits, isEnabled }: RequestedImportDeps) {
  const ofJob = (job: Job, last: Job | undefined): RequestedImport => ({
    job,
    isDry: importInput.parse(job.input).dry_run,
    report: job.status === 'succeeded' ? importReport.parse(job.result) : undefined,
    isImportable: isImportable(job, last, clock()),
  })

  return {
    /**
     * Lists the imports that the caller requested, newest first.
     *
     * @throws `archives_disabled`, `invalid_cursor`
     */
    async listImports(page: PageRequest, { account: { id } }: Caller): Promise<Page<RequestedImport>> {
      if (!isEnabled) throw archivesDisabled()
      const [found, last] = await Promise.all([
        read.jobs.listOfAccount(id, { kind: IMPORT }, page),
        lastImport(read.jobs, id),
      ])
      return { ...found, items: found.items.map((job) => ofJob(job, last)) }
    },

    /**
     * Returns an import that the caller requested.
     *
     * @throws `archives_disabled`, `import_not_found`
     */
    async getImport(jobId: string, { account: { id } }: Caller): Promise<RequestedImport> {
      if (!isEnabled) throw archivesDisabled()
      const job = await jobs.getOfKind(IMPORT, jobId)
      if (job?.accountId !== id) throw importNotFound()
      return ofJob(job, await lastImport(read.jobs, id))
    },

    /**
     * Requests the import of the archive that a dry run of the caller kept. A repeated request returns the same job.
     *
     * @throws `archives_disabled`, `import_not_found`, `too_many_jobs`, `file_quota_reached`
     */
    async importChecked(jobId: string, caller: Caller): Promise<Job> {
      if (!isEnabled) throw archivesDisabled()
      const checked = await jobs.getOfKind(IMPORT, jobId)
      if (checked?.accountId !== caller.account.id) throw importNotFound()
      const { key, size } = importInput.parse(checked.input)
      return write(async (tx) => {
        const { id: accountId, tokenVersion, tier } = await lockCaller(tx, caller)
        const last = await lastImport(tx.jobs, accountId)
        const isRepeated = last && last.id !== checked.id && importInput.parse(last.input).key === key
        if (isRepeated && last.status !== 'failed' && last.status !== 'cancelled') return last
        if (!isImportable(checked, last, clock())) throw importNotFound()
        await requireRoom(tx, accountId, { jobs, maxStorageMb: planLimits(tier).limits.maxStorageMb, size })
        const input = { key, dry_run: false, keep: false, token_version: tokenVersion, size }
        return jobs.add(tx, { kind: IMPORT, accountId, profileId: null, input })
      })
    },
  }
}
