import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { z } from 'zod'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { may, type Role } from '../../../model/permission.ts'
import { type BlobStore, newBlobKey } from '../../../ports/blob-store.ts'
import type { JobKind, JobRun } from '../../../ports/job-kind.ts'
import type { Job, JobReader } from '../../../ports/storage/jobs.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { notProfileOwner, profileNotFound, roleOfAccount } from '../../profiles/profiles/index.ts'
import { exportNotFound } from './errors.ts'
import type { ExportContents, ExportedProfile, ExportWriter } from './export-contents.ts'
import type { ExportLinks } from './links.ts'

export interface ExportJobDeps extends GuardedStorage<'files' | 'jobs'> {
  readonly clock: Clock
  readonly links: ExportLinks
  readonly blobs: BlobStore
  readonly contents: ExportWriter
}

export const EXPORT = 'export'
/** The limit of one run. */
const TIMEOUT_MS = 4 * HOUR_MS
const ATTEMPTS = 2
/** How long the address of an export is valid. */
const VALID_MS = 24 * HOUR_MS

/** The input of an export. `token_version` is that of the account when it requested the export. */
export const exportInput = z.object({
  format: z.enum(['zip', 'json']),
  account: z.literal(true).optional(),
  token_version: z.int(),
})
export type ExportInput = z.infer<typeof exportInput>

/** The result of an export. */
export const exportResult = z.object({
  url: z.string(),
  expires_at: z.iso.datetime().transform((text) => new Date(text)),
  size: z.int(),
  sha256: z.string(),
})
export type ExportResult = z.infer<typeof exportResult>

/** The role of an account in a profile; undefined when it may not export the profile. */
export async function exportingRoleOf(
  read: Pick<GuardedStorage['read'], 'members'>,
  profile: Profile,
  accountId: string,
): Promise<Role | undefined> {
  const role = await roleOfAccount(read, profile, accountId)
  return role !== undefined && may(role, 'profile.export') ? role : undefined
}

/**
 * The finished exports of the same profile or account for the same requester, the last to finish first. Only the address of
 * the first one is valid.
 */
export async function listExportsLike(
  jobs: Pick<JobReader, 'listOfAccount'>,
  { accountId, profileId }: Job,
): Promise<readonly Job[]> {
  const filter = { kind: EXPORT, status: 'succeeded', profileId } as const
  const found: Job[] = []
  for await (const each of allPages((request) => jobs.listOfAccount(accountId, filter, request))) {
    found.push(each)
  }
  return found.toSorted((left, right) => Number(right.finishedAt) - Number(left.finishedAt))
}

/** The job that writes an archive. A repeated run writes another blob; that of the interrupted run is removed by the sweeper. */
export function exportKind(deps: ExportJobDeps): JobKind {
  const { read, write, clock, links, blobs, contents } = deps

  /** The profile, unless the requester may no longer export it. */
  async function subjectOf(job: Job, signal: AbortSignal): Promise<ExportedProfile> {
    const profile = job.profileId === null ? undefined : await read.profiles.get(job.profileId)
    if (!profile || profile.withdrawnAt !== null) throw profileNotFound()
    const { accountId } = job
    const role = await exportingRoleOf(read, profile, accountId)
    if (role === undefined) throw notProfileOwner()
    return { profile, role, accountId, signal }
  }

  async function contentsOf(job: Job, isAccount: boolean, signal: AbortSignal): Promise<ExportContents> {
    if (isAccount) {
      const account = await read.accounts.get(job.accountId)
      if (!account || account.bannedAt !== null) throw exportNotFound()
      return contents.ofAccount({ account, signal })
    }
    return contents.ofProfile(await subjectOf(job, signal))
  }

  async function store({ job, signal, progress }: JobRun, about: ExportContents, as: 'zip' | 'json') {
    const exportedAt = clock()
    const key = newBlobKey()
    // An upload that is never committed: the sweeper removes it a day after this time, so after the address has expired.
    const upload = { key, accountId: job.accountId, createdAt: new Date(exportedAt.getTime() + TIMEOUT_MS) }
    if (!(await write((tx) => tx.files.createUpload(upload)))) throw notProfileOwner()

    const archive = await contents.write(about, as, { exportedAt, progress: (percent) => void progress(percent) })
    const hash = createHash('sha256')
    const hashed = archive.output.compose(
      new Transform({
        transform(chunk: Buffer, _encoding, next) {
          hash.update(chunk)
          next(null, chunk)
        },
      }),
    )
    // A blob store may destroy the body after it has failed.
    hashed.on('error', () => {})
    archive.output.on('error', () => {})
    try {
      const [{ size }] = await Promise.all([blobs.put(key, hashed, { signal }), archive.done])
      return { key, size, sha256: hash.digest('hex') }
    } catch (error) {
      archive.done.catch(() => {})
      archive.stop(error instanceof Error ? error : new Error('The export was ended', { cause: error }))
      await write((tx) => tx.files.discardUploads([key]))
      throw signal.aborted ? signal.reason : error
    }
  }

  return {
    name: EXPORT,
    timeoutMs: TIMEOUT_MS,
    attempts: ATTEMPTS,
    // The result opens the whole archive, whatever the scopes of a key.
    sessionsOnly: true,
    provedOnly: ['url'],
    isLong: true,

    async run(run): Promise<JsonObject> {
      const { job, signal } = run
      const { format: as, account = false } = exportInput.parse(job.input)
      const { key, size, sha256 } = await store(run, await contentsOf(job, account, signal), as)
      const expires = Math.floor((clock().getTime() + VALID_MS) / 1_000)
      return {
        url: links.urlOf({ jobId: job.id, blob: key, expires }),
        expires_at: new Date(expires * 1_000).toISOString(),
        format: as,
        size,
        sha256,
      }
    },

    // Not in `run`, which may yet fail: until this export has an address, the earlier one keeps its own.
    async ended(job, tx) {
      if (job.status !== 'succeeded') return
      const [, ...earlier] = await listExportsLike(requireGroup(tx, 'jobs').jobs, job)
      const keys = earlier.map(({ result }) => links.blobOf(result?.url)).filter((key) => key !== undefined)
      // The sweeper removes their bytes.
      await requireGroup(tx, 'files').files.discardUploads(keys)
    },
  }
}
