import type { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type BlobIntake, type BlobStore, storageError, takeInBlob } from '@eep/core/ports'

const MIB = 1024 * 1024
// S3 takes parts of 5 MiB or more, and 10,000 of them; each that is under way is in memory.
const PART = 5 * MIB
const PARTS = 10_000
const AT_ONCE = 3

/**
 * The `put` of a bucket: one request for what fits into a part, else parts that become an object when all are there. A put
 * that fails waits for the parts under way and removes them all before it throws.
 */
export const uploadTo =
  (client: S3Client, objectOf: (key: string) => { Bucket: string; Key: string }): BlobStore['put'] =>
  async (key, body, options) => {
    const object = objectOf(key)
    const intake = takeInBlob(body, options)
    const upload = new Upload({
      client: stopping(client, intake),
      params: { ...object, Body: intake.bytes },
      partSize: Math.max(PART, Math.ceil((options?.size ?? 0) / PARTS)),
      queueSize: AT_ONCE,
    })
    try {
      await upload.done()
      return { size: intake.size() }
    } catch (cause) {
      intake.stop()
      throw intake.failure() ?? storageError({ cause })
    }
  }

/** A client whose first failed request ends the intake: `Upload` would read the rest of the body for nothing. */
function stopping(client: S3Client, intake: BlobIntake): S3Client {
  const send = async (command: Parameters<S3Client['send']>[0]) => {
    try {
      return await client.send(command)
    } catch (error) {
      intake.stop()
      throw error
    }
  }
  return Object.assign(Object.create(client) as S3Client, { send })
}
