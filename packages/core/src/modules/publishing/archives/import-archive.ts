import { z } from 'zod'
import { invalidMember } from '../../../framework/module/parse-member.ts'
import type {
  ImportPart,
  ImportSource,
  ImportStep,
  ImportTarget,
  ProfileImporter,
} from '../../../framework/module/profile-import.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { fileQuotaReached, isEepError, unauthenticated } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Account } from '../../../model/account.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import type { ArchiveFormat, ArchiveSource } from '../../../ports/archive-format.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import {
  type HiddenProfileRemover,
  isReservedUsername,
  type ProfileRestorer,
  type ProfileService,
  profileNotFound,
  usernameReserved,
  usernameTaken,
} from '../../profiles/profiles/index.ts'
import { MEGABYTE } from '../files/index.ts'
import { type ReadArchiveDeps, readArchive, type VerifiedArchive } from './read-archive.ts'
import { createRewriter } from './rewrite-addresses.ts'
import { createManifestVerifier } from './verify-manifest.ts'

export interface ImporterDeps extends GuardedStorage<'files' | 'jobs' | 'hiddenProfiles'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'didOf' | 'urlOf' | 'publicUrl'>
  readonly profileRestorer: ProfileRestorer
  readonly hiddenProfiles: Pick<HiddenProfileRemover, 'remove'>
  readonly planLimits: PlanTable
  readonly keyring: Pick<Keyring, 'publicKeys'>
  readonly trustedIssuers: ReadArchiveDeps['trustedIssuers']
  readonly format: ArchiveFormat
  readonly profileImporters: readonly ProfileImporter[]
  readonly onError: (error: unknown) => void
}

/** One import, or one attempt of it. */
export interface ImportRun {
  /** The same for each attempt, so that what an interrupted one has stored is found. */
  readonly id: string
  /** The account that owns the new profile. */
  readonly accountId: string
  /** The `tokenVersion` of that account when the import was requested; undefined for imports of the host. */
  readonly tokenVersion?: number | undefined
  /** Whether everything is checked and nothing is stored. */
  readonly isDry: boolean
  readonly source: ArchiveSource
  readonly signal: AbortSignal
  /** Called with the progress in percent. */
  progress(percent: number): unknown
}

const PROFILE_PATH = 'profile.json'
/** How many of the members, and of the records, that are not imported a report lists. */
const MAX_LISTED = 100

/** The key of an upload that exists only if an import has been committed. It has no bytes. */
const markerOf = (id: string) => `import-${id}`

/**
 * Imports archives as new profiles. They are stored in many short transactions, in a profile that is hidden until the last one, which
 * stores a marker: an attempt that is repeated after a crash deletes what is unfinished, and reports what was finished.
 */
export function createImporter(deps: ImporterDeps) {
  const { read, write, clock, profiles, profileRestorer, hiddenProfiles, planLimits } = deps
  const { keyring, trustedIssuers, format } = deps
  const isSigned = createManifestVerifier()

  /** @throws `unauthenticated` when the account is gone, or was taken over or got a new password after the request */
  function assertMayImport(owner: Account | undefined, tokenVersion: number | undefined): asserts owner is Account {
    if (!owner || owner.deletionScheduledAt) throw unauthenticated()
    if (tokenVersion !== undefined && tokenVersion !== owner.tokenVersion) throw unauthenticated()
  }

  /** Checks every member. Files are checked when they are stored, unless nothing is stored. */
  async function checkMembers(archive: VerifiedArchive, { signal, progress, isDry }: ImportRun) {
    const isTooLarge = (path: string) =>
      archive.isTooLarge(path) && deps.profileImporters.some(({ isOptional }) => isOptional?.(path))
    const isRead = (path: string) =>
      path === PROFILE_PATH || (deps.profileImporters.some(({ reads }) => reads(path)) && !isTooLarge(path))
    for (const [index, path] of archive.paths.entries()) {
      signal.throwIfAborted()
      if (!isDry && path.startsWith('files/')) continue
      await archive.check(path, isRead(path))
      progress((40 * index) / archive.paths.length)
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

  /** Creates the hidden profile, and returns where its parts are stored. */
  async function begin({ id: importId, accountId, tokenVersion }: ImportRun, { archive, exported }: Checked) {
    const at = clock()
    const profile = await write(async (tx) => {
      assertMayImport(await tx.accounts.lock(accountId), tokenVersion)
      return profileRestorer.create(tx, exported, { importId, accountId, at })
    })
    const fileIds = new Map<number, number>()
    const { issuer, profile: named } = archive.manifest
    const to = { publicUrl: profiles.publicUrl, did: profiles.didOf(profile), url: profiles.urlOf(profile) }
    const rewrite = createRewriter({ issuer, did: named.did }, to, fileIds)
    return { profile, accountId, at, fileIds, rewrite }
  }

  /** Runs a step of an import in a transaction, while its account may import and its profile is hidden. */
  const runStep = ({ id, accountId, tokenVersion, signal }: ImportRun, { profile }: ImportTarget, step: ImportStep) => {
    signal.throwIfAborted()
    return write(async (tx, emit) => {
      const owner = await tx.accounts.lock(accountId)
      assertMayImport(owner, tokenVersion)
      if (!(await tx.hiddenProfiles.touch(profile.id, id, clock()))) throw profileNotFound()
      await step(tx, emit)
      const { maxStorageMb } = planLimits(owner.tier).limits
      const { storageBytes } = await tx.profiles.countOfAccount(accountId)
      if (storageBytes > maxStorageMb * MEGABYTE) throw fileQuotaReached({ details: { max_storage_mb: maxStorageMb } })
    })
  }

  /** Stores the parts, and shows the profile. */
  async function store(run: ImportRun, checked: Checked, target: ImportTarget): Promise<void> {
    const { exported, parts } = checked
    const { profile, accountId, at, rewrite } = target
    const isFirst = (part: ImportPart) => Number(part.isFirst ?? false)
    for (const part of parts.toSorted((left, right) => isFirst(right) - isFirst(left))) {
      for await (const step of part.store(target)) await runStep(run, target, step)
    }
    await inProfile(() =>
      runStep(run, target, async (tx, emit) => {
        const marker = { key: markerOf(run.id), accountId, createdAt: at }
        if (!(await requireGroup(tx, 'files').files.createUpload(marker))) throw unauthenticated()
        const hiding = { importId: run.id, rewrite }
        await profileRestorer.finish(requireGroup(tx, 'hiddenProfiles'), emit, profile, exported, hiding)
      }),
    )
  }

  interface Checked {
    readonly archive: VerifiedArchive
    readonly exported: ReturnType<ProfileRestorer['parse']>
    readonly parts: readonly ImportPart[]
  }

  /** Whether an earlier attempt has stored everything. */
  const isStored = async (id: string) => (await read.files.listKnownKeys([markerOf(id)])).length > 0

  async function perform(run: ImportRun, checked: Checked): Promise<void> {
    const { id, accountId, signal, progress } = run
    const { parts } = checked
    // An earlier attempt that was interrupted.
    await hiddenProfiles.remove({ importId: id })
    let target: ImportTarget | undefined
    try {
      for (const [index, part] of parts.entries()) {
        await part.prepare?.(signal)
        progress(40 + (30 * (index + 1)) / parts.length)
      }
      signal.throwIfAborted()
      target = await begin(run, checked)
      await store(run, checked, target)
    } catch (error) {
      // Uploads that were committed are not discarded.
      for (const part of parts) await part.discard?.().catch(deps.onError)
      // Another attempt finished first, or the answer of the storage was lost.
      if (await isStored(id)) return
      if (target) await hiddenProfiles.remove({ id: target.profile.id }).catch(deps.onError)
      if (signal.aborted) throw signal.reason
      const isTaken = isEepError(error) && error.code === usernameTaken.code
      throw isTaken ? await takenBy(checked, accountId) : error
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
      message: `You already own the profile ${name}, and imports never change a profile. Rename or delete it, then import again`,
    })
  }

  /** Imports an archive, or checks it, and returns the report. Stores nothing when it throws. */
  async function importArchive(run: ImportRun): Promise<JsonObject> {
    const { id, accountId, tokenVersion, isDry } = run
    const wasStored = !isDry && (await isStored(id))
    const owner = await read.accounts.get(accountId)
    assertMayImport(owner, wasStored ? undefined : tokenVersion)
    const { limits, maxArchiveMembers: maxMembers } = planLimits(owner.tier)
    const trust = { ownKeys: keyring.publicKeys, trustedIssuers, isSigned }
    const archive = await readArchive(run.source, {
      format,
      maxBytes: limits.maxStorageMb * MEGABYTE,
      maxMembers,
      ...trust,
    })
    const skipped = await checkMembers(archive, run)
    const exported = await inProfile(async () => profileRestorer.parse(await archive.json(PROFILE_PATH), clock()))
    const { issuer, exported_at, profile: named } = archive.manifest
    const { signedBy, paths, json, open } = archive
    const source: ImportSource = {
      issuer,
      paths,
      json,
      open,
      accountId,
      isTrusted: signedBy !== 'foreign',
    }
    const parts: ImportPart[] = []
    for (const { check } of deps.profileImporters) parts.push(await check(source))
    const checked = { archive, exported, parts }
    const skippedItems = parts.flatMap((part) => part.skipped ?? [])
    const problems = isDry ? await problemsOf(checked, accountId) : []
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
      warnings: parts
        .flatMap(({ warnings = [] }) => warnings)
        .slice(0, MAX_LISTED)
        .map(({ code, member, item }) => ({ code, member, item })),
      problems,
    }
  }

  return importArchive
}

/** Imports an archive, or checks it. */
export type Importer = ReturnType<typeof createImporter>
