import type { BlobStore } from '../ports/blob-store.ts'
import { check, type Finding, ok } from './check.ts'

/** Checks that a store of files answers and lists unfinished uploads, which the host deletes when they are old. */
export const checkBlobs = (blobStore: BlobStore, fix: string): Promise<Finding> =>
  check('files', fix, async () => {
    await blobStore.ping?.()
    // No upload began before this time, so none is deleted.
    await blobStore.sweep(new Date(0))
    return ok('the store answers')
  })
