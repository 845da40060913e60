import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import { fileQuotaReached, isEepError, unauthenticated } from '../../../kernel/errors.ts'
import type { KeyedSemaphore } from '../../../kernel/semaphore.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { type BlobStore, newBlobKey } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { ImageProcessor } from '../../../ports/image-processor.ts'
import type { StoredFile, UploadedFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { type Readers, storageUnavailable } from '../../../ports/storage/storage.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { createByteMeter } from './byte-meter.ts'
import { contentTypeOf, correctedType, type FileType, isSameKind } from './content-type.ts'
import {
  batchTooLarge,
  fileChanged,
  fileKindDiffers,
  fileNotFound,
  fileTypeMismatch,
  uploadTargetUnavailable,
} from './errors.ts'
import { fileStored, fileUpdated } from './events.ts'
import { cleanFilename, withExtensionOf } from './filename.ts'
import { PICTURE_SIZES, sizeKey } from './picture-sizes.ts'
import { reencodeImage } from './reencode-image.ts'
import { type ScanDeps, scanBlob } from './scan-blob.ts'
import { createUploadLimits, MEGABYTE, maxMegabytesOf } from './upload-limits.ts'

/** The scanner and its callbacks. */
export interface Scanning extends Pick<ScanDeps, 'scanner' | 'onTrouble'> {
  readonly onInfected: (found: {
    readonly accountId: string
    readonly signature: string
    readonly sha256: string
  }) => void
}

export interface UploadDeps {
  readonly read: Readers<'files'>
  readonly write: Write<'files'>
  readonly clock: Clock
  readonly profiles: ProfileService
  readonly blobs: BlobStore
  readonly toolkit: FileToolkit
  readonly planLimits: PlanTable
  /** The language of accounts without one, as BCP 47. */
  readonly language: string
  /** Default: images are cleaned in place. */
  readonly images: ImageProcessor | undefined
  /** Serializes the images of one account. */
  readonly drawing: KeyedSemaphore
  /** Without it nothing is scanned. */
  readonly scanning: Scanning | undefined
  /** Called when the cleanup after a failed upload fails; the sweeper repeats it later. */
  readonly onError: (error: unknown) => void
}

/** The file whose content an upload replaces. */
export interface ReplacedFile {
  readonly file: StoredFile
  readonly profile: Profile
  /** Whether only the content that `file` names may be replaced. Default: whatever the file has then. */
  readonly isExact: boolean
}

/**
 * The uploads of one request. Each file has a row before its bytes, so that the sweeper knows every
 * blob; all files are added to the profile together, at the end.
 */
export function beginUpload(
  {
    read,
    write,
    clock,
    profiles,
    blobs,
    toolkit,
    planLimits,
    language,
    images,
    drawing,
    scanning,
    onError,
  }: UploadDeps,
  caller: Caller,
  replaced?: ReplacedFile | undefined,
) {
  const { account } = caller
  const plan = planLimits(account.tier)
  const limits = createUploadLimits(plan)
  const stopping = new AbortController()
  const { signal } = stopping
  const keys: string[] = []
  const files: (UploadedFile | undefined)[] = []
  /** Whether the files may be committed although the response of the storage was lost. */
  let isUnsure = false
  const commit: typeof write = async (use) => {
    try {
      return await write(use)
    } catch (error) {
      isUnsure = !isEepError(error) || error.code === storageUnavailable.code
      throw error
    }
  }
  const hints = { toolkit, language: account.language ?? language }

  /** @throws `file_kind_differs` when the request replaces a file of another kind */
  const assertKind = (contentType: string) => {
    if (!replaced || isSameKind(contentType, replaced.file.contentType)) return
    const [content_type = ''] = replaced.file.contentType.split(';')
    throw fileKindDiffers({ details: { content_type } })
  }

  /** The quota of the owner of a profile. */
  async function quotaOf({ ownerAccountId }: Profile) {
    const owner = await read.accounts.get(ownerAccountId)
    if (!owner) throw uploadTargetUnavailable()
    const { maxFiles, maxStorageMb } = planLimits(owner.tier).limits
    const reached = () => fileQuotaReached({ details: { max_files: maxFiles, max_storage_mb: maxStorageMb } })
    return { owner, quota: { files: maxFiles, bytes: maxStorageMb * MEGABYTE }, reached }
  }

  const scan = async (file: UploadedFile) =>
    scanning &&
    scanBlob(
      file.key,
      { ...file, signal },
      { ...scanning, blobs, onInfected: (found) => scanning.onInfected({ ...found, accountId: account.id }) },
    )

  return {
    toolkit,
    maxFiles: limits.maxFiles,
    refuseLength: limits.refuseLength,

    /** Stores one file, after scanning, and re-encodes an image. `admit` may refuse it before. */
    async add(name: string, body: Readable, admit: () => Promise<unknown>): Promise<void> {
      const index = files.push(undefined) - 1
      const filename = cleanFilename(name)
      let type: FileType | undefined
      let maxMb = plan.maxFileMb
      const meter = createByteMeter({
        async identify(sample) {
          type = await contentTypeOf(sample, filename, hints)
          if (!type) throw fileTypeMismatch({ details: { filename } })
          assertKind(type.contentType)
          maxMb = maxMegabytesOf(type.contentType, plan)
        },
        refuse: (size, added) => limits.refuse(size, added, maxMb, files.length),
      })
      pipeline(body, meter.bytes, () => {})
      const key = newBlobKey()
      try {
        if (index >= limits.maxFiles) throw batchTooLarge({ details: { max_batch_files: limits.maxFiles } })
        await admit()
        const begun = await write((tx) => tx.files.createUpload({ key, accountId: account.id, createdAt: clock() }))
        if (!begun) throw unauthenticated()
        keys.push(key)
        const { size } = await blobs.put(key, meter.bytes, { signal })
        if (!type) throw fileTypeMismatch({ details: { filename } })
        const { contentType, encoding } = await correctedType(type, meter.later(), filename, hints)
        assertKind(contentType)
        const stored = { key, filename, size, contentType, sha256: meter.sha256() }
        await scan(stored)
        const refuse = (bytes: number) => limits.refuse(bytes, 0, maxMb, files.length)
        const reencode = () => reencodeImage(stored, { signal, refuse }, { blobs, images })
        const isImage = contentType.startsWith('image/')
        files[index] = {
          filename,
          encoding,
          ...(await (isImage ? drawing.run(account.id, signal, reencode) : reencode())),
        }
      } catch (error) {
        meter.bytes.destroy()
        throw error
      }
    },

    /** Adds all uploaded files to the profile, or none. */
    async finish(target: Profile): Promise<readonly StoredFile[]> {
      const { owner, quota, reached } = await quotaOf(target)
      const wanted = files.filter((file) => file !== undefined)
      return commit(async (tx, emit) => {
        // Lock the account before the profile, as deletion does.
        await tx.accounts.lock(owner.id)
        const { id: profileId } = await profiles.lockWithPermission(tx, target.id, caller, 'files.edit')
        const kept = await tx.files.commitUploads({ profileId, ownerAccountId: owner.id, quota, files: wanted })
        if (kept.outcome === 'gone') throw uploadTargetUnavailable()
        if (kept.outcome !== 'kept') throw reached()
        for (const { id, size } of kept.files) {
          emit(fileStored, { fileId: id, size }, { profileId, accountId: caller.account.id })
        }
        return kept.files
      })
    },

    /**
     * Makes the uploaded file the content of the file that the request replaces. The file keeps its id and its name, with
     * the extension of the upload when its type changes. The sweeper removes the bytes before.
     *
     * @throws `file_not_found` when it was deleted meanwhile, `file_changed` when its content was replaced and `isExact`
     */
    async replace({ file: before, profile, isExact }: ReplacedFile): Promise<StoredFile> {
      const { owner, quota, reached } = await quotaOf(profile)
      const [uploaded] = files
      if (!uploaded) throw uploadTargetUnavailable()
      return commit(async (tx, emit) => {
        // Lock the account before the profile, as deletion does.
        await tx.accounts.lock(owner.id)
        const { id: profileId } = await profiles.lockWithPermission(tx, profile.id, caller, 'files.edit')
        const current = await tx.files.get(before.id)
        if (!current) throw fileNotFound()
        const isSameType = current.contentType === uploaded.contentType
        const filename = isSameType ? current.filename : withExtensionOf(current.filename, uploaded.filename)
        const replaced = await tx.files.replaceContent({
          profileId,
          fileId: before.id,
          ownerAccountId: owner.id,
          maxBytes: quota.bytes,
          replacedKey: isExact ? before.key : undefined,
          replacedAt: clock(),
          file: { ...uploaded, filename },
        })
        if (replaced.outcome === 'changed') throw fileChanged()
        if (replaced.outcome === 'gone') throw uploadTargetUnavailable()
        if (replaced.outcome !== 'replaced') throw reached()
        const fields = filename === current.filename ? ['content' as const] : ['content' as const, 'filename' as const]
        emit(fileUpdated, { fileId: before.id, fields }, { profileId, accountId: caller.account.id })
        return replaced.file
      })
    },

    /** Aborts pending writes to the blob store. */
    stop: (reason: unknown) => stopping.abort(reason),

    /** Removes the bytes of a failed upload. The sweeper does it when they may be those of a file. */
    async discard(): Promise<void> {
      if (keys.length === 0) return
      try {
        await write((tx) => tx.files.discardUploads(keys))
        if (!isUnsure) await removeBlobs(keys, { blobs, write })
      } catch (error) {
        onError(error)
      }
    },
  }
}

/** Deletes blobs without a file, with the sizes of images, then confirms their deletion. */
export async function removeBlobs(
  keys: readonly string[],
  { blobs, write }: Pick<UploadDeps, 'blobs' | 'write'>,
): Promise<void> {
  for (const key of keys) {
    await blobs.delete(key)
    for (const size of PICTURE_SIZES) await blobs.delete(sizeKey(key, size))
  }
  await write((tx) => tx.files.confirmBlobsDeleted(keys))
}

export type Upload = ReturnType<typeof beginUpload>
