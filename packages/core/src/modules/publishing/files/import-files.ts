import { pipeline } from 'node:stream'
import { z } from 'zod'
import { importedTime } from '../../../framework/module/imported-times.ts'
import { parseList } from '../../../framework/module/parse-member.ts'
import {
  type ImportPart,
  type ImportSource,
  importBatches,
  type ProfileImporter,
} from '../../../framework/module/profile-import.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { fileQuotaReached, unauthenticated } from '../../../kernel/errors.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { invalidArchive } from '../../../ports/archive-format.ts'
import { type BlobStore, newBlobKey } from '../../../ports/blob-store.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { ImageProcessor } from '../../../ports/image-processor.ts'
import type { UploadedFile } from '../../../ports/storage/files.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { createByteMeter } from './byte-meter.ts'
import { cleanLocation } from './clean-location.ts'
import { contentTypeOf, correctedType, type FileType } from './content-type.ts'
import { filesDisabled, fileTypeMismatch, uploadTargetUnavailable } from './errors.ts'
import { fileStored } from './events.ts'
import { FILES_PATH } from './export-files.ts'
import { cleanFilename } from './filename.ts'
import { storeSizes } from './picture-sizes.ts'
import { reencodeImage, shownSizeOf } from './reencode-image.ts'
import { scanBlob } from './scan-blob.ts'
import { altText } from './schemas.ts'
import type { Scanning } from './upload.ts'
import { createUploadLimits, MEGABYTE, maxMegabytesOf } from './upload-limits.ts'

export interface FileImportDeps extends GuardedStorage<'files'> {
  readonly clock: Clock
  readonly planLimits: PlanTable
  /** The language of accounts without one, as BCP 47. */
  readonly language: string
  readonly blobs: BlobStore | undefined
  readonly toolkit: FileToolkit
  readonly images: ImageProcessor | undefined
  readonly scanning: Scanning | undefined
}

/** How many files one transaction commits: each is a statement and an event. */
const FILES_AT_ONCE = 50

const MAX_FILES = 100_000
const exportedFile = z.object({
  id: z.int().min(1),
  path: z.string().startsWith('files/').normalize('NFC'),
  filename: z.string().min(1).max(255),
  alt: altText.nullable().default(null),
  content_type: z.string().max(255),
  size: z.int().min(0),
  created_at: z.iso.datetime().transform((text) => new Date(text)),
})

type ExportedFile = z.output<typeof exportedFile>

/**
 * Imports files. Their types are detected again, they are scanned, and their location is removed. Images from untrusted
 * services are re-encoded, as in uploads.
 */
export function createFileImporter(deps: FileImportDeps): ProfileImporter {
  const { read, write, clock, planLimits, language, blobs, toolkit, images, scanning } = deps

  /** Stores the bytes of a file as an upload that is not committed yet. */
  async function store(
    file: ExportedFile,
    key: string,
    source: ImportSource,
    signal: AbortSignal,
  ): Promise<UploadedFile> {
    if (!blobs) throw filesDisabled()
    const owner = await read.accounts.get(source.accountId)
    if (!owner) throw unauthenticated()
    const plan = planLimits(owner.tier)
    const limits = createUploadLimits(plan)
    const filename = cleanFilename(file.filename)
    const hints = { toolkit, language: owner.language ?? language }
    let type: FileType | undefined
    const refuse = (bytes: number) => limits.refuse(bytes, 0, maxMegabytesOf(type?.contentType ?? '', plan), 1)
    const meter = createByteMeter({
      async identify(sample) {
        type = await contentTypeOf(sample, filename, hints)
        // Earlier versions gave texts other types.
        if (type?.contentType !== file.content_type && !type?.isText) throw fileTypeMismatch({ details: { filename } })
      },
      refuse,
    })
    const bytes = await source.open(file.path)
    pipeline(bytes, meter.bytes, () => {})
    try {
      const { size } = await blobs.put(key, meter.bytes, { signal })
      if (!type) throw fileTypeMismatch({ details: { filename } })
      const { contentType, encoding } = await correctedType(type, meter.later(), filename, hints)
      const createdAt = importedTime(file.created_at, clock())
      const { alt } = file
      const stored = { key, filename, size, contentType, encoding, sha256: meter.sha256(), alt, createdAt }
      const scanned = { ...stored, signal }
      if (scanning) {
        const onInfected = (found: { readonly signature: string; readonly sha256: string }) =>
          scanning.onInfected({ ...found, accountId: owner.id })
        await scanBlob(key, scanned, { ...scanning, blobs, onInfected })
      }
      const options = { signal, refuse }
      // An image from this service is already re-encoded.
      const tidied = source.isTrusted
        ? await cleanLocation(stored, options, blobs).then(async (clean) => {
            const measured = { ...clean, ...(await shownSizeOf(clean, blobs)) }
            await storeSizes(measured, signal, { blobs, images })
            return measured
          })
        : await reencodeImage(stored, options, { blobs, images })
      return { ...stored, ...tidied }
    } catch (error) {
      meter.bytes.destroy()
      // The blob store only reports that the body ended early; the archive has the reason.
      throw bytes.errored ?? meter.bytes.errored ?? error
    }
  }

  async function check(source: ImportSource): Promise<ImportPart> {
    const listed = await parseList(FILES_PATH, exportedFile, (await source.json(FILES_PATH)) ?? [], MAX_FILES)
    // Lists show the newest first, by id.
    const files = listed.toSorted((left, right) => left.id - right.id)
    const members = new Set(source.paths)
    const isWhole = files.every(({ path }) => members.has(path))
    const isUnique = [files.map(({ id }) => id), files.map(({ path }) => path)].every(
      (all) => new Set<unknown>(all).size === all.length,
    )
    if (!isWhole || !isUnique) throw invalidArchive({ message: `${FILES_PATH}: Does not match the members` })
    if (files.length > 0 && !blobs) throw filesDisabled()
    const owner = await read.accounts.get(source.accountId)
    if (!owner) throw unauthenticated()
    const { maxFiles, maxStorageMb } = planLimits(owner.tier).limits
    const quota = { files: maxFiles, bytes: maxStorageMb * MEGABYTE }
    const tooMuch = () => fileQuotaReached({ details: { max_files: maxFiles, max_storage_mb: maxStorageMb } })
    const used = await read.profiles.countOfAccount(owner.id)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (used.files + files.length > quota.files || used.storageBytes + bytes > quota.bytes) throw tooMuch()
    const stored: UploadedFile[] = []
    const keys: string[] = []

    return {
      isFirst: true,
      counts: { files: files.length },

      async prepare(signal) {
        for (const file of files) {
          signal.throwIfAborted()
          const key = newBlobKey()
          const upload = { key, accountId: source.accountId, createdAt: clock() }
          if (!(await write((tx) => tx.files.createUpload(upload)))) throw unauthenticated()
          keys.push(key)
          stored.push(await store(file, key, source, signal))
        }
      },

      *store({ profile, accountId, fileIds }) {
        const before = files.map(({ id }) => id)
        for (const batch of importBatches(
          stored.map((file, index) => ({ file, exportedId: before[index] })),
          FILES_AT_ONCE,
        )) {
          yield async (tx, emit) => {
            const target = {
              profileId: profile.id,
              ownerAccountId: accountId,
              quota,
              files: batch.map(({ file }) => file),
            }
            const kept = await requireGroup(tx, 'files').files.commitUploads(target)
            if (kept.outcome === 'gone') throw uploadTargetUnavailable()
            if (kept.outcome !== 'kept') throw tooMuch()
            for (const [index, { id, size }] of kept.files.entries()) {
              const exportedId = batch[index]?.exportedId
              if (exportedId !== undefined) fileIds.set(exportedId, id)
              emit(fileStored, { fileId: id, size }, { profileId: profile.id, accountId })
            }
          }
        }
      },

      // The sweeper removes the bytes. Here that would not be safe: the files may be committed although the response was lost.
      async discard() {
        if (keys.length > 0) await write((tx) => tx.files.discardUploads(keys))
      },
    }
  }

  return { reads: (path) => path === FILES_PATH, check }
}
