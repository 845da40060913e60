import { readdir, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import { signUp } from './accounts.ts'
import { createTestApp, openStorage, type TestAppOptions } from './app.ts'
import { client } from './client.ts'
import { field, type Part, upload } from './files.ts'

/** A service that files are sent to, and what is left of them. Ends with the test file. */
export async function openUploads(options: TestAppOptions = {}) {
  const database = await openStorage()
  const test = await createTestApp({ storage: database.storage, ...options })
  const { headers, account } = await signUp(test.app)
  const { username } = account
  afterAll(async () => {
    await test.close()
    await rm(test.directory, { recursive: true, force: true })
    await database.close()
  })

  return {
    ...test,
    database,
    headers,
    account,
    send: (...parts: readonly Part[]) => upload(test.app, [field('username', username), ...parts], headers),
    get: (url: string) => client(test.app).get(url, headers),
    /** The numbers of blobs, of partial blobs, and of their rows. */
    async left(): Promise<readonly [number, number]> {
      const found = await readdir(test.directory, { recursive: true, withFileTypes: true }).catch(() => [])
      const rows = (await database.dump?.(['files', 'dropped_blobs'])) ?? []
      return [found.filter((entry) => entry.isFile()).length, rows.length]
    },
    /** The head of a request to `POST /files` as it travels. */
    headOf(more: Record<string, string | number>): string {
      const all = { host: 'profiles.example', ...headers, ...more }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
      return ['POST /files HTTP/1.1', ...lines, '', ''].join('\r\n')
    },
    /** Sends raw bytes to the service over a new connection. */
    async connect(): Promise<Conversation> {
      if (!test.app.server.listening) await test.app.listen({ port: 0, host: '127.0.0.1' })
      const address = test.app.server.address()
      if (address === null || typeof address === 'string') throw new Error('it does not listen')
      return converse(createConnection(address.port, '127.0.0.1'))
    },
  }
}

export interface Conversation {
  readonly socket: Socket
  /** The answer so far. */
  heard(): string
}

function converse(socket: Socket): Conversation {
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    text += part
  })
  socket.on('error', () => {})
  return { socket, heard: () => text }
}
