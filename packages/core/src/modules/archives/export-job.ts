import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { z } from 'zod'
import { allPages } from '../../kernel/all-pages.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { may } from '../../model/permission.ts'
import type {
  AccountExporter,
  AccountSubject,
  ExportMember,
  ExportSubject,
  ProfileExporter,
} from '../../module/export-member.ts'
import type { ArchiveFormat } from '../../ports/archive-format.ts'
import { type BlobStore, newBlobKey } from '../../ports/blob-store.ts'
import type { JobKind, JobRun } from '../../ports/job-kind.ts'
import type { Job, JobReader } from '../../ports/storage/jobs.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { notProfileOwner, type ProfileService, profileNotFound } from '../profiles/index.ts'
import { exportNotFound } from './errors.ts'
import type { ExportLinks } from './links.ts'
import { type ListedMember, signManifest } from './manifest.ts'
import { writeArchive, writeJson } from './write-archive.ts'

export interface ExportJobDeps extends GuardedStorage<'files' | 'jobs'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'didOf' | 'publicUrl'>
  readonly keyring: Keyring
  readonly serviceDid: string
  readonly links: ExportLinks
  readonly blobs: BlobStore
  readonly format: ArchiveFormat
  readonly profileExporters: readonly ProfileExporter[]
  readonly accountExporters: readonly AccountExporter[]
}

export const EXPORT = 'export'
const HOUR_MS = 3_600_000
/** The limit of one run. */
const TIMEOUT_MS = 4 * HOUR_MS
const ATTEMPTS = 2
/** How long the address of an export is valid. */
const VALID_MS = 24 * HOUR_MS

export const exportInput = z.object({ format: z.enum(['zip', 'json']), account: z.literal(true).optional() })

/**
 * The finished exports of the same profile or account for the same requester, the last to finish first. Only the address of
 * the first one is valid.
 */
export async function listExportsLike(
  jobs: Pick<JobReader, 'listOfAccount'>,
  { accountId, profileId }: Job,
): Promise<readonly Job[]> {
  const filter = { kind: EXPORT, status: 'succeeded', profileId: profileId ?? undefined } as const
  const found: Job[] = []
  for await (const each of allPages((request) => jobs.listOfAccount(accountId, filter, request))) {
    if (each.profileId === profileId) found.push(each)
  }
  return found.toSorted((left, right) => Number(right.finishedAt) - Number(left.finishedAt))
}

/** The content of an archive: its subject, as the manifest names it, and its members. */
interface Contents {
  /** The account whose stored bytes determine the size of the export. */
  readonly ownerId: string
  readonly about: JsonObject
  readonly members: AsyncIterable<ExportMember>
}

/** The job that writes an archive. A repeated run writes another blob; that of the interrupted run is removed by the sweeper. */
export function exportKind(deps: ExportJobDeps): JobKind {
  const { read, write, clock, profiles, keyring, serviceDid, links, blobs, format } = deps

  /** The profile, unless the requester may no longer export it. */
  async function subjectOf(job: Job, signal: AbortSignal): Promise<ExportSubject> {
    const profile = job.profileId === null ? undefined : await read.profiles.get(job.profileId)
    if (!profile || profile.withdrawnAt !== null) throw profileNotFound()
    const { accountId } = job
    const role = profile.ownerAccountId === accountId ? 'owner' : await read.members?.getRole(profile.id, accountId)
    if (role === undefined || !may(role, 'profile.export')) throw notProfileOwner()
    return { profile, role, accountId, signal }
  }

  async function* membersOf(subject: ExportSubject): AsyncGenerator<ExportMember> {
    for (const members of deps.profileExporters) {
      for await (const member of members(subject)) {
        subject.signal.throwIfAborted()
        yield member
      }
    }
  }

  /** The data of an account, and each profile that it owns in a folder. */
  async function* membersOfAccount(subject: AccountSubject): AsyncGenerator<ExportMember> {
    const { account, signal } = subject
    for (const members of deps.accountExporters) {
      for await (const member of members(subject)) {
        signal.throwIfAborted()
        yield member
      }
    }
    for await (const profile of allPages((request) => read.profiles.listOfAccount(account.id, request))) {
      if (profile.withdrawnAt !== null) continue
      const folder = `profiles/${profile.type}/${profile.username}`
      for await (const member of membersOf({ profile, role: 'owner', accountId: account.id, signal }))
        yield { ...member, path: `${folder}/${member.path}` }
    }
  }

  async function contentsOf(job: Job, isAccount: boolean, signal: AbortSignal): Promise<Contents> {
    if (isAccount) {
      const account = await read.accounts.get(job.accountId)
      if (!account || account.bannedAt !== null) throw exportNotFound()
      const { id, username } = account
      return { ownerId: id, about: { account: { id, username } }, members: membersOfAccount({ account, signal }) }
    }
    const subject = await subjectOf(job, signal)
    const { id, type, username, ownerAccountId: ownerId } = subject.profile
    const about = { profile: { id, did: profiles.didOf(subject.profile), profile_type: type, username } }
    return { ownerId, about, members: membersOf(subject) }
  }

  async function store({ job, signal, progress }: JobRun, { ownerId, about, members }: Contents, as: 'zip' | 'json') {
    const exportedAt = clock()
    const key = newBlobKey()
    // An upload that is never committed: the sweeper removes it a day after this time, so after the address has expired.
    const upload = { key, accountId: job.accountId, createdAt: new Date(exportedAt.getTime() + TIMEOUT_MS) }
    if (!(await write((tx) => tx.files.createUpload(upload)))) throw notProfileOwner()

    const { storageBytes } = await read.profiles.countOfAccount(ownerId)
    let done = 0
    const head = {
      issuer: profiles.publicUrl,
      issuer_did: serviceDid,
      exported_at: exportedAt.toISOString(),
      ...about,
    }
    const contents = {
      members,
      exportedAt,
      manifest: (members: readonly ListedMember[]) => signManifest(head, members, keyring),
      written(bytes: number) {
        done += bytes
        void progress(Math.min(99, (100 * done) / Math.max(1, storageBytes)))
      },
    }
    const archive = as === 'zip' ? writeArchive(contents, format) : writeJson(contents)
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
