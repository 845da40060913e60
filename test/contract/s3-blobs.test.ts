import { AbortMultipartUploadCommand, CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { s3Blobs } from '@eep/adapters-s3'
import { newBlobKey } from '@eep/core/ports'
import { blobStoreContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { clientFor, startS3Server } from '../support/s3-server.ts'

const { expect } = vitest
const server = await startS3Server()

if (typeof server === 'string') {
  console.warn(server)
  vitest.describe.skip(server, () => vitest.it('keeps blobs', () => {}))
} else {
  vitest.afterAll(() => server.stop())
  const { endpoint, region, credentials, bucket } = server

  vitest.describe(`s3Blobs on ${server.name}`, () => {
    blobStoreContract(vitest, () => s3Blobs({ endpoint, region, credentials, bucket, prefix: 'files/' }))

    vitest.it('leaves alone what others have in the bucket', async () => {
      const client = clientFor(server)
      const blobs = s3Blobs({ client, bucket, prefix: 'shared/' })
      const others = [`elsewhere/${newBlobKey()}`, `shared/deeper/${newBlobKey()}`, 'shared/.keep']
      const uploads = await Promise.all(
        others.map(async (Key) => {
          await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'not ours' }))
          return client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }))
        }),
      )
      expect((await blobs.list({ limit: 10 })).blobs).toEqual([])
      expect(await blobs.sweep(new Date(Date.now() + 3_600_000))).toBe(0)
      for (const { Key, UploadId } of uploads) {
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
      }
      client.destroy()
    })
  })
}
