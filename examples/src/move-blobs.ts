import type { BlobStore } from '@eep/core/ports'

/** Copies what one store keeps to another, under the same keys; what is there already is copied again. */
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
