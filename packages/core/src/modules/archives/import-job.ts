import { z } from 'zod'
import type { Emit } from '../../events/define-event.ts'
import type { Clock } from '../../kernel/clock.ts'
import { fileQuotaReached, isEepError, unauthenticated } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { Account } from '../../model/account.ts'
import type { PlanTable } from '../../model/plan.ts'
import { PREFIX_BY_TYPE } from '../../model/profile-type.ts'
import { invalidMember } from '../../module/parse-member.ts'
import type { ImportPart, ImportSource, ProfileImporter } from '../../module/profile-import.ts'
import type { ArchiveFormat, ArchiveSource } from '../../ports/archive-format.ts'
import { type BlobStore, storageError } from '../../ports/blob-store.ts'
import type { JobKind, JobRun } from '../../ports/job-kind.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { requireGroup } from '../../storage/require-group.ts'
import { MEGABYTE } from '../files/index.ts'
import {
  isReservedUsername,
  type ProfileRestorer,
  type ProfileService,
  usernameReserved,
  usernameTaken,
} from '../profiles/index.ts'
import { type ReadArchiveDeps, readArchive, type VerifiedArchive } from './read-archive.ts'
import { createRewriter } from './rewrite-addresses.ts'

export interface ImportJobDeps extends GuardedStorage<'files' | 'jobs'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'didOf' | 'urlOf' | 'publicUrl'>
  readonly profileRestorer: ProfileRestorer
  readonly planLimits: PlanTable
  readonly keyring: Pick<Keyring, 'publicKeys'>
  readonly trustedIssuers: ReadArchiveDeps['trustedIssuers']
  readonly blobs: BlobStore
  readonly format: ArchiveFormat
  readonly profileImporters: readonly ProfileImporter[]
  readonly onError: (error: unknown) => void
}

export const IMPORT = 'import'
const TIMEOUT_MS = 4 * 3_600_000
const ATTEMPTS = 2
const PROFILE_PATH = 'profile.json'
/** How many of the members, and of the records, that are not imported a report lists. */
const MAX_LISTED = 100

const importInput = z.object({ key: z.string(), dry_run: z.boolean() })

/** The key of an upload that exists only if the import of a job has been committed. It has no bytes. */
const markerOf = (jobId: string) => `import-${jobId}`

/**
 * The job that imports an archive as a new profile. Everything is stored in one transaction, with a marker: a run that is
 * repeated after a crash reports what the earlier one has stored.
 */
export function importKind(deps: ImportJobDeps): JobKind {
  const { read, write, clock, profiles, profileRestorer, planLimits, keyring, trustedIssuers, blobs, format } = deps

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

  function storageOf(owner: Account | undefined) {
    if (!owner || owner.deletionScheduledAt) throw unauthenticated()
    const { maxStorageMb } = planLimits(owner.tier).limits
    return { maxStorageMb, maxBytes: maxStorageMb * MEGABYTE }
  }

  /** Checks every member. Files are checked when they are stored, unless nothing is stored. */
  async function checkMembers(archive: VerifiedArchive, { signal, progress }: JobRun, isDry: boolean) {
    const isTooLarge = (path: string) =>
      archive.isTooLarge(path) && deps.profileImporters.some(({ isOptional }) => isOptional?.(path))
    const isRead = (path: string) =>
      path === PROFILE_PATH || (deps.profileImporters.some(({ reads }) => reads(path)) && !isTooLarge(path))
    for (const [index, path] of archive.paths.entries()) {
      signal.throwIfAborted()
      if (!isDry && path.startsWith('files/')) continue
      await archive.check(path, isRead(path))
      void progress((40 * index) / archive.paths.length)
    }
    return archive.paths.filter((path) => !isRead(path) && !/^(files|content)\/|^profile\.md$/.test(path))
  }

  /** Adds the path of the member to its validation errors. */
  async function inProfile<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof z.ZodError ? invalidMember(PROFILE_PATH, error) : error
    }
  }

  /** Stores everything, or nothing. */
  async function store(
    tx: Stores<'files' | 'jobs'>,
    emit: Emit,
    { jobId, accountId }: { readonly jobId: string; readonly accountId: string },
    { archive, exported, parts }: Checked,
  ): Promise<Profile> {
    const at = clock()
    const { maxStorageMb, maxBytes } = storageOf(await tx.accounts.lock(accountId))
    const profile = await profileRestorer.create(tx, emit, exported, accountId, at)
    if (!(await tx.files.createUpload({ key: markerOf(jobId), accountId, createdAt: at }))) throw unauthenticated()
    const fileIds = new Map<number, number>()
    const { issuer, profile: named } = archive.manifest
    const to = { publicUrl: profiles.publicUrl, did: profiles.didOf(profile), url: profiles.urlOf(profile) }
    const rewrite = createRewriter({ issuer, did: named.did }, to, fileIds)
    const target = { profile, accountId, at, fileIds, rewrite }
    for (const part of parts.toSorted(
      (left, right) => Number(right.isFirst ?? false) - Number(left.isFirst ?? false),
    )) {
      await part.within(tx, emit, target)
    }
    await inProfile(() => profileRestorer.finish(tx, profile, exported, rewrite))
    const { storageBytes } = await tx.profiles.countOfAccount(accountId)
    if (storageBytes > maxBytes) throw fileQuotaReached({ details: { max_storage_mb: maxStorageMb } })
    return profile
  }

  interface Checked {
    readonly archive: VerifiedArchive
    readonly exported: ReturnType<ProfileRestorer['parse']>
    readonly parts: readonly ImportPart[]
  }

  /** Whether an earlier run of the job has stored everything. */
  const isStored = async (jobId: string) => (await read.files.listKnownKeys([markerOf(jobId)])).length > 0

  async function perform(run: JobRun, checked: Checked): Promise<void> {
    const { job, signal, progress } = run
    const { parts } = checked
    try {
      for (const [index, part] of parts.entries()) {
        await part.prepare?.(signal)
        void progress(40 + (50 * (index + 1)) / parts.length)
      }
      signal.throwIfAborted()
      await write((tx, emit) => store(tx, emit, { jobId: job.id, accountId: job.accountId }, checked))
    } catch (error) {
      // Uploads that were committed are not discarded.
      for (const part of parts) await part.discard?.().catch(deps.onError)
      // Another run of this job committed first.
      if (await isStored(job.id)) return
      if (signal.aborted) throw signal.reason
      const isTaken = isEepError(error) && error.code === usernameTaken.code
      throw isTaken ? await takenBy(checked, job.accountId) : error
    }
  }

  async function problemsOf(checked: Checked, accountId: string) {
    const { draft } = checked.exported
    const { type, username } = draft
    const taken = await read.profiles.listTypesOf(username, clock())
    const namesake = type === 'person' ? await read.accounts.get({ username }) : undefined
    const isTaken = taken.includes(type) || (namesake !== undefined && namesake.id !== accountId)
    const problems = [
      ...(isReservedUsername(username) ? [usernameReserved()] : []),
      ...(isTaken ? [await takenBy(checked, accountId)] : []),
    ]
    return problems.map(({ code, message }) => ({ code, message }))
  }

  /** The error for a name that is taken. It names the profile if the importing account owns it. */
  async function takenBy({ exported: { draft } }: Checked, accountId: string) {
    const { type, username } = draft
    const owned = await read.profiles.get({ type, username })
    if (owned?.ownerAccountId !== accountId) return usernameTaken()
    const name = `${PREFIX_BY_TYPE[type]}/${username}`
    return usernameTaken({
      message: `You already own the profile ${name}, and an import never changes one. Rename or delete it, then import again`,
    })
  }

  async function report(run: JobRun): Promise<JsonObject> {
    const { job } = run
    const { key, dry_run: isDry } = importInput.parse(job.input)
    const { maxBytes } = storageOf(await read.accounts.get(job.accountId))
    const trust = { ownKeys: keyring.publicKeys, trustedIssuers }
    const archive = await readArchive(await sourceOf(key), { format, maxBytes, ...trust })
    const skipped = await checkMembers(archive, run, isDry)
    const exported = await inProfile(async () => profileRestorer.parse(await archive.json(PROFILE_PATH), clock()))
    const { issuer, exported_at, profile: named } = archive.manifest
    const { signedBy, paths, json, open } = archive
    const source: ImportSource = {
      ...{ issuer, paths, json, open, accountId: job.accountId },
      isTrusted: signedBy !== 'foreign',
    }
    const wasStored = !isDry && (await isStored(job.id))
    const parts: ImportPart[] = []
    for (const { check } of deps.profileImporters) parts.push(await check(source))
    const checked = { archive, exported, parts }
    const skippedItems = parts.flatMap((part) => part.skipped ?? [])
    const problems = isDry ? await problemsOf(checked, job.accountId) : []
    if (!isDry && !wasStored) await perform(run, checked)

    const { type, username } = exported.draft
    const stored = isDry ? undefined : await read.profiles.get({ type, username })
    return {
      dry_run: isDry,
      signed_by: signedBy,
      issuer,
      exported_at,
      exported_did: named.did,
      profile: {
        id: stored?.id ?? null,
        did: profiles.didOf({ type, username }),
        profile_type: type,
        username,
        url: profiles.urlOf({ type, username }),
      },
      counts: Object.assign({}, ...parts.map(({ counts }) => counts)) as Record<string, number>,
      skipped: skipped.slice(0, MAX_LISTED),
      skipped_count: skipped.length,
      skipped_items: skippedItems.slice(0, MAX_LISTED).map(({ member, item, reason }) => ({ member, item, reason })),
      skipped_items_count: skippedItems.length,
      problems,
    }
  }

  return {
    name: IMPORT,
    timeoutMs: TIMEOUT_MS,
    attempts: ATTEMPTS,

    async run(run) {
      try {
        return await report(run)
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
