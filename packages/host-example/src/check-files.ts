import type { BlobStore } from '@eep/core/ports'
import { check, type Finding, ok } from './check.ts'

/** Checks that a bucket exists and lists unfinished uploads, which the host deletes when they are old. */
export const checkBucket = (open: () => BlobStore | Promise<BlobStore>): Promise<Finding> =>
  check('files', 'Check the variables S3_* and the rights of the key', async () => {
    const bucket = await open()
    await bucket.ping?.()
    // No upload began before this time, so none is deleted.
    await bucket.sweep(new Date(0))
    return ok('the bucket answers')
  })
