import type { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type BlobIntake, type BlobStore, storageError, takeInBlob } from '@eep/core/ports'

const MIB = 1024 * 1024
// S3 accepts up to 10,000 parts of at least 5 MiB. Each part is in memory while it is uploaded.
const PART = 5 * MIB
const PARTS = 10_000
const AT_ONCE = 3

/**
 * Implements `put`: one request for a body that fits into one part, otherwise a multipart upload. A put
 * that fails waits for running parts and removes all parts before it throws.
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

/** A client that stops reading the body after the first failed request. `Upload` would read the rest of it. */
function stopping(client: S3Client, intake: BlobIntake): S3Client {
  const send = async (command: Parameters<S3Client['send']>[0]) => {
    try {
      return await client.send(command)
    } catch (error) {
      intake.stop()
      throw error
    }
  }
  // `Upload` checks no class, and reads the configuration of the client.
  return Object.assign(Object.create(client) as S3Client, { send })
}
