import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { requireRecentProof } from '../../../model/recent-proof.ts'
import type { ArchiveFormat } from '../../../ports/archive-format.ts'
import type { BlobContent, BlobRange, BlobStore } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import type { LocalRateLimits } from '../../../runtime/rate-limits/local-rate-limits.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { JobService } from '../../jobs/index.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { archivesDisabled, exportNotFound, tooManyExports } from './errors.ts'
import {
  EXPORT,
  type ExportInput,
  type ExportResult,
  exportInput,
  exportingRoleOf,
  exportResult,
  listExportsLike,
} from './export-job.ts'
import { IMPORT, MAX_OPEN_IMPORTS } from './import-job.ts'
import { beginImportUpload } from './import-upload.ts'
import type { ExportAddress, ExportLinks } from './links.ts'
import { createRequestedImports } from './requested-imports.ts'

export interface ArchiveDeps extends GuardedStorage<'files' | 'jobs'> {
  readonly clock: Clock
  readonly jobs: JobService
  readonly profiles: ProfileService
  readonly links: ExportLinks
  readonly blobs: BlobStore | undefined
  readonly format: ArchiveFormat
  /** Present when `blobs` is. */
  readonly toolkit: FileToolkit
  readonly planLimits: PlanTable
  /** Counts exports across instances. */
  readonly counters: Pick<LocalRateLimits, 'hit'>
  readonly onError: (error: unknown) => void
}

export interface ExportRequest {
  readonly profileId: number
  readonly format: 'zip' | 'json'
}

/** An export that can be downloaded. */
export interface FinishedExport {
  readonly size: number
  readonly sha256: string
  readonly finishedAt: Date
  readonly filename: string
  readonly contentType: string
  open(range?: BlobRange | undefined): Promise<BlobContent>
}

/** An export as its requester sees it. */
export interface ListedExport {
  readonly job: Job
  readonly input: ExportInput
  /** Undefined unless it succeeded. */
  readonly result: ExportResult | undefined
  /** False when its address has expired or a later export replaced it. */
  readonly isDownloadable: boolean
}

/** The last exports by their profiles; null for the account. */
type LatestExports = Map<number | null, Promise<Job | undefined>>

/** How many exports of one profile, or of itself, an account may request in a day. */
const MAX_EXPORTS_A_DAY = 20

/** The address of an export is valid as long as the sessions that the account had when it was requested. */
const issuedTo = ({ account: { tokenVersion } }: Caller) => ({ token_version: tokenVersion })

export function createArchiveService(deps: ArchiveDeps) {
  const { read, write, clock, jobs, profiles, links, blobs, format, toolkit, counters } = deps
  const isEnabled = blobs !== undefined && jobs.isEnabled

  /**
   * The file name of an export without its extension. Undefined when the requester may no longer export this: the profile is
   * deleted, the role has changed, or the account is banned, or has ended its sessions by a new password for example.
   */
  async function readName({ accountId, profileId }: Job, input: ExportInput): Promise<string | undefined> {
    const account = await read.accounts.get(accountId)
    if (!account || account.bannedAt !== null || account.tokenVersion !== input.token_version) return undefined
    if (input.account) return `account-${account.username}`
    const profile = profileId === null ? undefined : await read.profiles.get(profileId)
    if (!profile || profile.withdrawnAt !== null || !(await exportingRoleOf(read, profile, accountId))) return undefined
    return `${profile.type}-${profile.username}`
  }

  /** Whether the address of an export opens it: it is the last one of its subject, which its requester may still export. */
  async function isOpen(job: Job, expiresAt: Date, latest: LatestExports = new Map()): Promise<boolean> {
    if (expiresAt <= clock()) return false
    const last = latest.get(job.profileId) ?? listExportsLike(read.jobs, job).then(([first]) => first)
    latest.set(job.profileId, last)
    return (await last)?.id === job.id && (await readName(job, exportInput.parse(job.input))) !== undefined
  }

  /** @throws `too_many_exports` */
  async function countToday(accountId: string, subject: number | 'account'): Promise<void> {
    const hit = await counters.hit(`export:${accountId}:${subject}`, DAY_MS)
    if (hit.count > MAX_EXPORTS_A_DAY) {
      throw tooManyExports({ details: { max_per_day: MAX_EXPORTS_A_DAY }, retryAfterMs: msUntilReset(hit) })
    }
  }

  return {
    /** Whether a blob store and a job queue are configured. */
    isEnabled,

    /**
     * Requests the archive of a profile, for its owner and administrators of its team.
     *
     * @throws `archives_disabled`, `profile_not_found`, `not_profile_owner`, `too_many_jobs`, `too_many_exports`
     */
    async requestExport({ profileId, format }: ExportRequest, caller: Caller): Promise<Job> {
      if (!isEnabled) throw archivesDisabled()
      const profile = await profiles.get(profileId, caller)
      await profiles.requirePermission(profile, caller, 'profile.export')
      await jobs.assertRoom(caller.account.id)
      await countToday(caller.account.id, profileId)
      return write(async (tx) => {
        await profiles.requirePermissionIn(tx, profileId, caller, 'profile.export')
        const origin = { accountId: caller.account.id, profileId }
        return jobs.add(tx, { kind: EXPORT, ...origin, input: { format, ...issuedTo(caller) } })
      })
    },

    /**
     * Requests the archive of the caller's account: its data and the profiles that it owns.
     *
     * @throws `archives_disabled`, `too_many_jobs`, `too_many_exports`
     */
    async requestAccountExport(format: ExportRequest['format'], caller: Caller): Promise<Job> {
      const accountId = caller.account.id
      if (!isEnabled) throw archivesDisabled()
      await jobs.assertRoom(accountId)
      await countToday(accountId, 'account')
      const input = { format, account: true, ...issuedTo(caller) }
      return write((tx) => jobs.add(tx, { kind: EXPORT, accountId, profileId: null, input }))
    },

    /**
     * Lists the exports that the caller requested: those of a profile, those of the account when it is null, or all of them, newest first.
     *
     * @throws `archives_disabled`, `profile_not_found`, `not_profile_owner`, `invalid_cursor`
     */
    async listExports(
      { profileId }: { readonly profileId?: number | null | undefined },
      request: PageRequest,
      caller: Caller,
    ): Promise<Page<ListedExport>> {
      if (!isEnabled) throw archivesDisabled()
      if (typeof profileId === 'number') {
        await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'profile.export')
      }
      const page = await read.jobs.listOfAccount(caller.account.id, { kind: EXPORT, profileId }, request)
      const latest: LatestExports = new Map()
      const items = await Promise.all(
        page.items.map(async (job): Promise<ListedExport> => {
          const result = job.status === 'succeeded' ? exportResult.parse(job.result) : undefined
          const isDownloadable = result !== undefined && (await isOpen(job, result.expires_at, latest))
          return { job, input: exportInput.parse(job.input), result, isDownloadable }
        }),
      )
      return { ...page, items }
    },

    /**
     * Returns the download address of an export that the caller requested. Within ten minutes after a proof of the person.
     *
     * @throws `recent_sign_in_required`, `archives_disabled`; `export_not_found` when it has no address any more
     */
    async addressOf(id: string, caller: Caller): Promise<string> {
      if (!isEnabled) throw archivesDisabled()
      requireRecentProof(caller, clock())
      const job = await jobs.getOfKind(EXPORT, id)
      const result =
        job?.accountId === caller.account.id && job.status === 'succeeded' ? exportResult.parse(job.result) : undefined
      if (!job || !result || !(await isOpen(job, result.expires_at))) throw exportNotFound()
      return result.url
    },

    /**
     * Begins the upload of an archive that is imported as a new profile of the caller.
     *
     * @throws `archives_disabled`, `too_many_jobs`
     */
    async beginImport(caller: Caller) {
      if (!isEnabled) throw archivesDisabled()
      await jobs.assertRoom(caller.account.id)
      await jobs.listOpen(caller.account.id, IMPORT, MAX_OPEN_IMPORTS)
      return beginImportUpload({ ...deps, blobs, toolkit }, caller)
    },

    ...createRequestedImports({ ...deps, isEnabled }),

    /**
     * Returns the export at a signed address, while its job and its profile exist, its requester may export it, and no later
     * export has replaced it.
     *
     * @throws `export_not_found`, `archives_disabled`
     */
    async findExport(address: ExportAddress, signature: string): Promise<FinishedExport> {
      if (!isEnabled) throw archivesDisabled()
      const job = links.isValid(address, signature, clock()) ? await jobs.getOfKind(EXPORT, address.jobId) : undefined
      if (job?.status !== 'succeeded' || !job.result || !job.finishedAt) throw exportNotFound()
      const [last] = await listExportsLike(read.jobs, job)
      // Its bytes may still be there.
      if (last?.id !== job.id) throw exportNotFound()
      const input = exportInput.parse(job.input)
      const name = await readName(job, input)
      if (name === undefined) throw exportNotFound()
      const { size, sha256 } = job.result as { readonly size: number; readonly sha256: string }
      const isJson = input.format === 'json'
      const extension = isJson ? 'json' : format.extension
      return {
        size,
        sha256,
        finishedAt: job.finishedAt,
        filename: `${name}.${extension}`,
        contentType: isJson ? 'application/json' : format.contentType,
        async open(range) {
          const content = await blobs.get(address.blob, range)
          if (!content) throw exportNotFound()
          return content
        },
      }
    },
  }
}

/** Exports and imports of profiles. */
export type ArchiveService = ReturnType<typeof createArchiveService>
