import type { BlobStore } from '@eep/core/ports'

/** Copies all blobs of one store to another with the same keys. Existing blobs are replaced. */
export async function copyBlobs(from: BlobStore, to: BlobStore): Promise<number> {
  let copied = 0
  let cursor: string | undefined
  do {
    const page = await from.list({ limit: 100, cursor })
    for (const { key } of page.blobs) {
      const blob = await from.get(key)
      if (!blob) continue
      await to.put(key, blob.body, { size: blob.size })
      copied += 1
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return copied
}
