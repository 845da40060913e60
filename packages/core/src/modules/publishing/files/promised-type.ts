import { type BlobStore, storageError } from '../../../ports/blob-store.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import { contentTypeOf, SAMPLE_BYTES } from './content-type.ts'
import { fileTypeMismatch } from './errors.ts'
import { extensionOf } from './filename.ts'

export interface PromisedTypeDeps {
  readonly blobs: BlobStore
  readonly hints: Parameters<typeof contentTypeOf>[2]
}

/**
 * Checks that a new name of a file promises the type that the file has. A name with the same extension does.
 *
 * @throws `file_type_mismatch`, `storage_error`
 */
export async function assertPromise(
  file: StoredFile,
  filename: string,
  { blobs, hints }: PromisedTypeDeps,
): Promise<void> {
  if (extensionOf(filename) === extensionOf(file.filename)) return
  const sample = file.size === 0 ? Buffer.alloc(0) : await beginningOf(file, blobs)
  const found = await contentTypeOf(sample, filename, hints)
  if (!found || withoutParameters(found.contentType) !== withoutParameters(file.contentType)) {
    throw fileTypeMismatch({ details: { filename } })
  }
}

const withoutParameters = (contentType: string) => contentType.split(';')[0]?.trim()

async function beginningOf({ key }: StoredFile, blobs: BlobStore): Promise<Buffer> {
  const content = await blobs.get(key, { start: 0, end: SAMPLE_BYTES - 1 })
  if (!content) throw storageError()
  const parts: Buffer[] = []
  for await (const part of content.body) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
