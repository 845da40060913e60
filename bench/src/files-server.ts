import { s3Blobs } from '@eep/adapters-s3'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import { type BlobStore, newBlobKey, type Storage } from '@eep/core/ports'
import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { serve } from './server-process.ts'

/** Where bytes are kept: in a directory, or in a bucket. */
export type Place =
  | { readonly directory: string }
  | {
      readonly endpoint: string
      readonly region: string
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
      readonly bucket: string
    }

/** What the parent sends a file to, and how what surrounds its bytes looks. */
export interface FileServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly before: string
  readonly after: string
}

interface Order {
  readonly place: Place
  readonly bare: boolean
  readonly connectionString?: string | undefined
}

const MEGABYTES = 100
const BOUNDARY = 'a-boundary-of-measurements'
const LIMITS = { maxFiles: 1_000, maxStorageMb: 1_000 * MEGABYTES }

/** The service: uploads are forms of an account, with a row each. */
async function startService(blobs: BlobStore, storage: Storage): Promise<FileServer> {
  const app = Fastify()
  await app.register(eep, {
    publicUrl: 'https://profiles.example',
    storage,
    secret: 'a secret for benchmarks, thirty-two characters',
    modules: everything({ files: { blobStore: blobs } }),
    limits: { plans: { community: { maxFileMb: MEGABYTES, limits: LIMITS } }, rateLimit: { multiplier: 1_000_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  const url = await app.listen({ port: 0 })
  // Other measurements have separate users in this database.
  const username = `sender-${newBlobKey().slice(0, 8)}`
  const payload = { email: `${username}@example.com`, password: 'Correct horse 7 battery', username }
  const { token } = (await app.inject({ method: 'POST', url: '/auth/register', payload })).json()
  const partOf = (name: string, more = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  return {
    url: `${url}/files`,
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    before: `${partOf('username')}${username}\r\n${partOf('file', '; filename="large.bin"')}`,
    after: `\r\n--${BOUNDARY}--\r\n`,
  }
}

/** What a host would write who wants nothing but the bytes in the store and out of it again. */
async function startBare(blobs: BlobStore): Promise<FileServer> {
  const app = Fastify({ bodyLimit: 2 * MEGABYTES * 1_048_576 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.post('/files', async ({ body }) => {
    const key = newBlobKey()
    await blobs.put(key, body as NodeJS.ReadableStream as Parameters<BlobStore['put']>[1])
    return { id: key }
  })
  app.get('/files/:key', async (request, reply) => {
    const content = await blobs.get((request.params as { key: string }).key)
    return reply.header('content-length', content?.length).type('application/octet-stream').send(content?.body)
  })
  const url = await app.listen({ port: 0 })
  return { url: `${url}/files`, headers: { 'content-type': 'application/octet-stream' }, before: '', after: '' }
}

await serve<Order, FileServer>(async ({ place, bare, connectionString }) => {
  const blobs = 'directory' in place ? directoryBlobs(place) : s3Blobs(place)
  return bare ? startBare(blobs) : startService(blobs, (await openDatabase(connectionString)).storage)
})
