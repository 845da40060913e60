import { s3Blobs } from '@eep/adapters-s3'
import { blobStoreContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { startS3Server } from './support/s3-server.ts'

const server = await startS3Server()

if (typeof server === 'string') {
  console.warn(server)
  vitest.describe.skip(server, () => vitest.it('keeps blobs', () => {}))
} else {
  vitest.afterAll(() => server.stop())
  const { endpoint, region, credentials, bucket } = server

  vitest.describe(`s3Blobs on ${server.name}`, () => {
    blobStoreContract(vitest, () => s3Blobs({ endpoint, region, credentials, bucket, prefix: 'files/' }))
  })
}
