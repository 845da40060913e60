import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { S3Client } from '@aws-sdk/client-s3'
import { newBlobKey } from '@eep/core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { s3Blobs } from './s3-blobs.ts'

const MIB = 1024 * 1024
const access = { region: 'us-east-1', bucket: 'files', credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } }

// The contract tests a store that works. These are failures of a store.
describe('s3Blobs on a store with faults', () => {
  const servers: Server[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  const blobsOn = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer((request, response) => {
      request.resume()
      request.once('end', () => answer(request, response))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return s3Blobs({ ...access, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  }

  it('stops reading the body when a part is refused, and removes the parts', async () => {
    const aborted: (string | undefined)[] = []
    const blobs = await blobsOn((request, response) => {
      if (request.method === 'POST') {
        response.end('<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>')
      } else if (request.method === 'DELETE') {
        aborted.push(request.url)
        response.writeHead(204).end()
      } else {
        response.writeHead(403).end('<Error><Code>QuotaExceeded</Code></Error>')
      }
    })
    let read = 0
    const body = new Readable({
      read() {
        read += MIB
        this.push(Buffer.alloc(MIB))
      },
    })
    const key = newBlobKey()
    await expect(blobs.put(key, body)).rejects.toMatchObject({ code: 'storage_error', status: 502 })
    expect(body.destroyed).toBe(true)
    expect(read).toBeLessThan(60 * MIB)
    expect(aborted).toEqual([expect.stringMatching(new RegExp(`^/files/${key}\\?.*uploadId=one`))])
  })

  it('sweeps old uploads of every page of a listing', async () => {
    const [first, second] = [newBlobKey(), newBlobKey()]
    const aborted: (string | undefined)[] = []
    const pageOf = (key: string, more: string) =>
      `<ListMultipartUploadsResult>${more}<Upload><Key>${key}</Key><UploadId>of-${key}</UploadId>` +
      '<Initiated>2020-01-01T00:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>'
    const blobs = await blobsOn((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://store')
      if (request.method === 'DELETE') {
        aborted.push(searchParams.get('uploadId') ?? undefined)
        response.writeHead(204).end()
      } else if (searchParams.get('key-marker') === first) {
        response.end(pageOf(second, '<IsTruncated>false</IsTruncated>'))
      } else {
        response.end(pageOf(first, `<IsTruncated>true</IsTruncated><NextKeyMarker>${first}</NextKeyMarker>`))
      }
    })
    expect(await blobs.sweep(new Date())).toBe(2)
    expect(aborted).toEqual([`of-${first}`, `of-${second}`])
  })

  it('throws the error of the body also when the parts cannot be removed', async () => {
    const blobs = await blobsOn((request, response) => {
      if (request.method === 'DELETE') response.writeHead(403).end()
      else if (request.method === 'POST') response.end('<R><UploadId>one</UploadId></R>')
      else response.writeHead(200, { etag: '"part"' }).end()
    })
    const fault = new Error('the line was cut')
    async function* half() {
      yield Buffer.alloc(12 * MIB)
      throw fault
    }
    await expect(blobs.put(newBlobKey(), Readable.from(half()))).rejects.toBe(fault)
  })

  it('does not return the whole blob when a range was requested', async () => {
    const blobs = await blobsOn((_request, response) => response.end('all of it'))
    await expect(blobs.get(newBlobKey(), { start: 3, end: 5 })).rejects.toMatchObject({ code: 'storage_error' })
    expect(await blobs.get(newBlobKey())).toMatchObject({ size: 9, start: 0, length: 9 })
  })

  it('fails a read whose connection breaks instead of truncating it', async () => {
    const blobs = await blobsOn((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('a'.repeat(500), () => setImmediate(() => response.destroy()))
    })
    const content = await blobs.get(newBlobKey())
    expect(content).toMatchObject({ size: 1000, length: 1000 })
    await expect(content?.body.toArray()).rejects.toThrow()
  })

  it('throws storage_error when the store refuses access, lacks the bucket, or is unreachable', async () => {
    const refusals = [
      [403, '<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>'],
      [404, '<Error><Code>NoSuchBucket</Code><Message>no</Message></Error>'],
    ] as const
    for (const [status, text] of refusals) {
      const blobs = await blobsOn((_request, response) => response.writeHead(status).end(text))
      const key = newBlobKey()
      for (const work of [
        () => blobs.put(key, Readable.from([Buffer.from('x')])),
        () => blobs.get(key),
        () => blobs.delete(key),
        () => blobs.list({ limit: 10 }),
        () => blobs.sweep(new Date()),
        () => blobs.ping?.(),
      ]) {
        await expect(work()).rejects.toMatchObject({ code: 'storage_error' })
      }
    }
    const nowhere = s3Blobs({ ...access, endpoint: 'http://127.0.0.1:1' })
    await expect(nowhere.head(newBlobKey())).rejects.toMatchObject({ code: 'storage_error' })
  })

  it('does not close a client that it did not create', async () => {
    const client = new S3Client({ ...access })
    let destroyed = false
    client.destroy = () => {
      destroyed = true
    }
    await s3Blobs({ client, bucket: 'files' }).close?.()
    expect(destroyed).toBe(false)
  })
})
