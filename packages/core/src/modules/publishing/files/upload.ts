import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import { fileQuotaReached, unauthenticated } from '../../../kernel/errors.ts'
import type { KeyedSemaphore } from '../../../kernel/semaphore.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { type BlobStore, newBlobKey } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { ImageProcessor } from '../../../ports/image-processor.ts'
import type { StoredFile, UploadedFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { createByteMeter } from './byte-meter.ts'
import { contentTypeOf, correctedType, type FileType } from './content-type.ts'
import { batchTooLarge, fileTypeMismatch, uploadTargetUnavailable } from './errors.ts'
import { fileStored } from './events.ts'
import { cleanFilename } from './filename.ts'
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
) {
  const { account } = caller
  const plan = planLimits(account.tier)
  const limits = createUploadLimits(plan)
  const stopping = new AbortController()
  const { signal } = stopping
  const keys: string[] = []
  const files: (UploadedFile | undefined)[] = []
  const hints = { toolkit, language: account.language ?? language }

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
      const owner = await read.accounts.get(target.ownerAccountId)
      if (!owner) throw uploadTargetUnavailable()
      const { maxFiles, maxStorageMb } = planLimits(owner.tier).limits
      const quota = { files: maxFiles, bytes: maxStorageMb * MEGABYTE }
      const wanted = files.filter((file) => file !== undefined)
      return write(async (tx, emit) => {
        // Lock the account before the profile, as deletion does.
        await tx.accounts.lock(owner.id)
        const { id: profileId } = await profiles.lockWithPermission(tx, target.id, caller, 'files.edit')
        const kept = await tx.files.commitUploads({ profileId, ownerAccountId: owner.id, quota, files: wanted })
        if (kept.outcome === 'gone') throw uploadTargetUnavailable()
        if (kept.outcome !== 'kept') {
          throw fileQuotaReached({ details: { max_files: maxFiles, max_storage_mb: maxStorageMb } })
        }
        for (const { id, size } of kept.files) {
          emit(fileStored, { fileId: id, size }, { profileId, accountId: caller.account.id })
        }
        return kept.files
      })
    },

    /** Aborts pending writes to the blob store. */
    stop: (reason: unknown) => stopping.abort(reason),

    /** Removes the bytes of a failed upload. */
    async discard(): Promise<void> {
      if (keys.length === 0) return
      try {
        await write((tx) => tx.files.discardUploads(keys))
        await removeBlobs(keys, { blobs, write })
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
