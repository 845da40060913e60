import type { Clock } from '../../../kernel/clock.ts'
import { ifMatchHolds } from '../../../kernel/entity-tags.ts'
import { isEepError } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import { createKeyedSemaphore } from '../../../kernel/semaphore.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ImageSize } from '../../../model/image-widths.ts'
import type { May } from '../../../model/permission.ts'
import type { PlanLimits, PlanTable } from '../../../model/plan.ts'
import { PROFILE_TYPES, type ProfileType } from '../../../model/profile-type.ts'
import { type BlobContent, type BlobRange, type BlobStore, storageError } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { ImageProcessor } from '../../../ports/image-processor.ts'
import type { FileChanges, FileUse, StoredFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { type ProfileService, profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import { ambiguousUsername, fileChanged, fileNotFound, filesDisabled } from './errors.ts'
import { fileDeleted, fileUpdated } from './events.ts'
import { etagOf } from './file-etag.ts'
import { cleanFilename } from './filename.ts'
import { openSize } from './picture-sizes.ts'
import { assertPromise } from './promised-type.ts'
import { beginUpload, type ReplacedFile, removeBlobs, type Scanning, type Upload } from './upload.ts'
import { MEGABYTE } from './upload-limits.ts'

export interface FileDeps extends GuardedStorage<'files'> {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly may: May
  readonly profiles: ProfileService
  readonly planLimits: PlanTable
  /** The language of accounts without one, as BCP 47. */
  readonly language: string
  /** Undefined when files are off. */
  readonly blobs: BlobStore | undefined
  /** Present when `blobs` is. */
  readonly toolkit: FileToolkit
  readonly images: ImageProcessor | undefined
  readonly scanning: Scanning | undefined
  readonly onError: (error: unknown) => void
}

/** What the files of an account take of its plan. */
export interface FileUseOfPlan {
  readonly files: number
  readonly maxFiles: number
  /** The size of files, page versions and gate versions in all profiles of the account. */
  readonly bytes: number
  readonly maxBytes: number
}

/** How a file is deleted. */
export interface FileDeletion {
  /** What the role of the caller must permit. */
  readonly action: 'files.edit' | 'files.own'
  /** The ETag of the content that is deleted. Default: any. */
  readonly ifMatch?: string | undefined
}

/** A file and its profile. */
export interface FoundFile {
  readonly file: StoredFile
  readonly profile: Profile
  /** The key in the address of a file of an unlisted profile; undefined for others. */
  readonly linkKey?: string | undefined
}

export function createFileService({
  read,
  write,
  clock,
  cache,
  may,
  profiles,
  planLimits,
  language,
  blobs,
  toolkit,
  images,
  scanning,
  onError,
}: FileDeps) {
  const drawing = createKeyedSemaphore()
  const store = (): BlobStore => {
    if (!blobs) throw filesDisabled()
    return blobs
  }

  /** A file and its profile, without checking the reader, for work without one. Undefined when it was deleted. */
  async function findStored(id: number): Promise<Omit<FoundFile, 'linkKey'> | undefined> {
    const file = await read.files.get(id)
    const profile = file && (await read.profiles.get(file.profileId))
    return profile && { file, profile }
  }

  /** Like {@link findStored}, from the cache of reads. */
  const findKnown = async (id: number) =>
    cache.get(`file:${id}`, async () => {
      const value = await findStored(id)
      return { value, profileId: value?.profile.id }
    })

  async function find(id: number, caller: Caller | undefined, key?: string | undefined): Promise<FoundFile> {
    store()
    const found = await findKnown(id)
    const profile = await orUndefined(profiles.assertVisible(found?.profile, caller))
    if (!found || !profile) throw fileNotFound()
    // Ids can be guessed; files of unlisted profiles need the key in the URL, or a role in the team.
    const isOpen = profile.visibility === 'public' || profiles.linkKeys.opens('file', profile.id, id, key)
    if (!isOpen && (await profiles.roleOf(profile, caller)) === undefined) throw fileNotFound()
    const linkKey = profile.visibility === 'unlisted' ? profiles.linkKeys.keyOf('file', profile.id, id) : undefined
    return { file: found.file, profile, linkKey }
  }

  const begin = (caller: Caller, replaced?: ReplacedFile): Upload =>
    beginUpload(
      {
        read,
        write,
        clock,
        profiles,
        planLimits,
        language,
        blobs: store(),
        toolkit,
        images,
        drawing,
        scanning,
        onError,
      },
      caller,
      replaced,
    )

  return {
    isEnabled: blobs !== undefined,

    /** The libraries that files need. */
    toolkit,

    /** @throws `files_disabled` */
    begin,

    /**
     * Begins an upload that replaces the content of a file.
     *
     * @param ifMatch - the ETag of the content to replace. Default: any
     * @throws `file_not_found`, `not_profile_owner`, `file_changed`, `files_disabled`
     */
    async beginReplacement(
      id: number,
      caller: Caller,
      ifMatch: string | undefined,
    ): Promise<{ readonly upload: Upload; readonly replaced: ReplacedFile }> {
      const { profile } = await find(id, caller)
      await profiles.requirePermission(profile, caller, 'files.edit')
      const file = await read.files.get(id)
      if (!file) throw fileNotFound()
      if (!ifMatchHolds(ifMatch, etagOf(file))) throw fileChanged()
      const replaced = { file, profile, isExact: ifMatch !== undefined }
      return { upload: begin(caller, replaced), replaced }
    },

    /**
     * Renames or describes a file, and returns it. Of concurrent calls the last one wins, field by field.
     *
     * @throws `file_type_mismatch` when the new name promises another type than the file has; `file_not_found`,
     *   `not_profile_owner`, `files_disabled`
     */
    async update(id: number, { filename, alt }: FileChanges, caller: Caller): Promise<FoundFile> {
      const { file, profile, linkKey } = await find(id, caller)
      await profiles.requirePermission(profile, caller, 'files.edit')
      const changes = {
        ...(filename !== undefined && { filename: cleanFilename(filename) }),
        ...(alt !== undefined && { alt: alt?.trim() || null }),
      }
      const hints = { toolkit, language: caller.account.language ?? language }
      if (changes.filename !== undefined) await assertPromise(file, changes.filename, { blobs: store(), hints })
      const changed = await write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profile.id, caller, 'files.edit')
        const current = await tx.files.get(id)
        // Its content was replaced, so the promise of the name was checked against other bytes.
        if (current && changes.filename !== undefined && current.key !== file.key) throw fileChanged()
        const stored = await tx.files.update(profile.id, id, changes)
        if (!stored) throw fileNotFound()
        const fields = (['filename', 'alt'] as const).filter((name) => name in changes)
        emit(fileUpdated, { fileId: id, fields }, { profileId: profile.id, accountId: caller.account.id })
        return stored
      })
      return { file: changed, profile, linkKey }
    },

    /**
     * Returns the profile with a username, if the caller may add files to it.
     *
     * @throws `profile_not_found`, `not_profile_owner`; `ambiguous_username` when several types have this username and none is given
     */
    async target(username: string, type: ProfileType | undefined, caller: Caller): Promise<Profile> {
      store()
      if (type !== undefined) {
        const profile = await profiles.find(type, username, caller)
        await profiles.requirePermission(profile, caller, 'files.edit')
        return profile
      }
      const found = await Promise.all(PROFILE_TYPES.map((each) => orUndefined(profiles.find(each, username, caller))))
      const known = found.filter((profile) => profile !== undefined)
      const [first] = known
      if (!first) throw profileNotFound()
      const roles = await Promise.all(known.map((profile) => profiles.roleOf(profile, caller)))
      const own = known.filter((_, index) => may(roles[index], 'files.edit'))
      if (own.length > 1) throw ambiguousUsername({ details: { profile_types: own.map((profile) => profile.type) } })
      const profile = own[0] ?? first
      await profiles.requirePermission(profile, caller, 'files.edit')
      return profile
    },

    find,
    findStored,
    findKnown,

    /** Whether a file is the cover of a published page below public categories only. */
    isCover: async ({ id, profileId }: StoredFile): Promise<boolean> =>
      (await read.files.listShown(profileId, { coverIds: [id] })).length > 0,

    async open({ key }: StoredFile, range?: BlobRange | undefined): Promise<BlobContent> {
      const content = await store().get(key, range)
      if (!content) throw storageError()
      return content
    },

    /** Whether images are stored in sizes for pages. */
    hasSizes: blobs !== undefined && images?.shrink !== undefined,

    /** Opens a size of an image; undefined when it has none. */
    openSize: (file: StoredFile, size: ImageSize): Promise<BlobContent | undefined> =>
      openSize(file, size, { blobs: store(), images }),

    async delete(id: number, caller: Caller, { action, ifMatch }: FileDeletion): Promise<void> {
      const { profile } = await find(id, caller)
      await profiles.requirePermission(profile, caller, action)
      const deleted = await write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profile.id, caller, action)
        const current = ifMatch === undefined ? undefined : await tx.files.get(id)
        if (current && etagOf(current) !== ifMatch) throw fileChanged()
        const files = await tx.files.delete(profile.id, [id])
        if (files.length === 0) throw fileNotFound()
        emit(fileDeleted, { fileId: id }, { profileId: profile.id, accountId: caller.account.id })
        return files
      })
      const keys = deleted.map(({ key }) => key)
      await removeBlobs(keys, { blobs: store(), write }).catch(onError)
    },

    /**
     * Returns a profile and a page of its files, newest first, to its team.
     *
     * @throws `profile_not_found`, `not_profile_owner`, `invalid_cursor`, `files_disabled`
     */
    async listForTeam(
      profileId: number,
      request: PageRequest,
      caller: Caller,
    ): Promise<{ readonly profile: Profile; readonly page: Page<StoredFile> }> {
      store()
      const profile = await profiles.get(profileId, caller)
      await profiles.requirePermission(profile, caller, 'files.list')
      return { profile, page: await read.files.listOfProfile(profileId, request) }
    },

    /**
     * Returns what the owner of a profile uses of their plan, to the team of the profile.
     *
     * @throws `profile_not_found` when the owner was deleted
     */
    async useOfPlan({ ownerAccountId }: Profile): Promise<FileUseOfPlan> {
      const [owner, use] = await Promise.all([
        read.accounts.get(ownerAccountId),
        read.profiles.countOfAccount(ownerAccountId),
      ])
      if (!owner) throw profileNotFound()
      const { maxFiles, maxStorageMb } = planLimits(owner.tier).limits
      return { files: use.files, maxFiles, bytes: use.storageBytes, maxBytes: maxStorageMb * MEGABYTE }
    },

    /** The pages that use a file, the last changed ones first; for the team of its profile. */
    usesOf: (file: StoredFile, limit: number): Promise<readonly FileUse[]> => read.files.listUses(file, limit),

    /** The limits of the plan of an account, whose uploads they apply to. */
    limitsOf: ({ account }: Caller): PlanLimits => planLimits(account.tier),

    async list(profile: Profile, request: PageRequest, caller: Caller): Promise<Page<StoredFile>> {
      store()
      await profiles.requirePermission(profile, caller, 'files.own')
      return read.files.listOfProfile(profile.id, request)
    },
  }
}

/** Returns undefined for not-found errors and throws all others. */
async function orUndefined(found: Promise<Profile>): Promise<Profile | undefined> {
  try {
    return await found
  } catch (error) {
    if (isEepError(error) && (error.code === profileNotFound.code || error.code === profileMoved.code)) return undefined
    throw error
  }
}

/** The files of profiles. */
export type FileService = ReturnType<typeof createFileService>
