import { Readable } from 'node:stream'
import { assertBlobKey, type BlobStore, bytesOf, takeInBlob } from '@eep/core/ports'

/** A minimal store: blobs in the memory of one process. */
export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, { readonly bytes: Buffer; readonly modifiedAt: Date }>()
  const find = (key: string) => {
    assertBlobKey(key)
    return blobs.get(key)
  }
  const metadataOf = (key: string) => {
    const blob = find(key)
    return blob && { key, size: blob.bytes.length, modifiedAt: blob.modifiedAt }
  }

  return {
    async put(key, body, options) {
      assertBlobKey(key)
      const intake = takeInBlob(body, options)
      try {
        // The blob becomes visible when all chunks are stored.
        const chunks: Buffer[] = await intake.bytes.toArray()
        blobs.set(key, { bytes: Buffer.concat(chunks), modifiedAt: new Date() })
        return { size: intake.size() }
      } catch (error) {
        intake.stop()
        throw intake.failure() ?? error
      }
    },

    async get(key, range) {
      const blob = find(key)
      if (!blob) return undefined
      const { start, length } = bytesOf(range, blob.bytes.length)
      const body = Readable.from(blob.bytes.subarray(start, start + length), { objectMode: false })
      return { size: blob.bytes.length, start, length, body }
    },

    head: async (key) => metadataOf(key),
    delete: async (key) => void (find(key) && blobs.delete(key)),

    async list({ limit, cursor = '' }) {
      const keys = [...blobs.keys()].filter((key) => key > cursor).sort()
      const page = keys.slice(0, limit).flatMap((key) => metadataOf(key) ?? [])
      return { blobs: page, nextCursor: keys.length > limit ? page.at(-1)?.key : undefined }
    },

    sweep: async () => 0,
  }
}
