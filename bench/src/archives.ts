import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArchiveHost } from './archives-server.ts'
import type { Footprint } from './footprint.ts'
import { startServer, watchMemory } from './server-process.ts'

const FILES = 10
const FILE_BYTES = 100 * 1_048_576
/** Random, so that it is of no type whose text is read. */
const CHUNK = randomBytes(1_048_576)
const BOUNDARY = 'a-boundary-of-measurements'
const ACCOUNT = { email: 'ada@example.com', password: 'Correct horse 7 battery' }
const PLACE = { profile_type: 'place', username: 'gigabyte' }
const MAX_GROWTH_MIB = 150
/** V8 and the operating system take back what the start needed within this time. */
const IDLE_MS = 10_000
const POLL_MS = 250

type Host = Awaited<ReturnType<typeof startServer<ArchiveHost>>>

interface Job {
  readonly id: string
  readonly status: string
  readonly error: unknown
  readonly result: { readonly url: string } | null
}

/** Sends a request with a session, and returns the JSON of a successful answer. */
async function ask<Answer>(url: string, token: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function signIn(url: string): Promise<string> {
  const { token } = await ask<{ readonly token: string }>(`${url}/auth/login`, '', json(ACCOUNT))
  return token
}

async function signUp(url: string): Promise<string> {
  const account = { ...ACCOUNT, username: 'ada' }
  const { token } = await ask<{ readonly token: string }>(`${url}/auth/register`, '', json(account))
  return token
}

/** A form with one file and other fields, streamed. */
function form(
  fields: Readonly<Record<string, string>>,
  filename: string,
  bytes: AsyncIterable<Uint8Array>,
): RequestInit {
  async function* body() {
    for (const [name, value] of Object.entries(fields)) {
      yield Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    }
    yield Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`)
    yield* bytes
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  return { method: 'POST', headers, body: Readable.toWeb(Readable.from(body())), duplex: 'half' }
}

async function* fileBytes() {
  for (let sent = 0; sent < FILE_BYTES; sent += CHUNK.length) yield CHUNK
}

async function ended(url: string, token: string, { id }: Job): Promise<Job> {
  for (;;) {
    const job = await ask<Job>(`${url}/jobs/${id}`, token)
    if (job.status === 'succeeded') return job
    if (job.status !== 'queued' && job.status !== 'running') throw new Error(JSON.stringify(job))
    await sleep(POLL_MS)
  }
}

/** Registers an account with a profile that has 1 GB of files. */
async function fill({ report: { url } }: Host): Promise<void> {
  const token = await signUp(url)
  const { username } = await ask<{ readonly username: string }>(`${url}/profiles`, token, json(PLACE))
  const fields = { profile_type: PLACE.profile_type, username }
  for (let file = 0; file < FILES; file++) {
    await ask(`${url}/files`, token, form(fields, `part-${file}.bin`, fileBytes()))
  }
}

/** Exports the profile, and downloads the archive to a file. */
async function exportTo(url: string, token: string, file: string): Promise<void> {
  const { id } = await ask<{ readonly id: number }>(`${url}/profiles/l/${PLACE.username}`, token)
  const job = await ended(url, token, await ask<Job>(`${url}/export`, token, json({ profile_id: id })))
  const { pathname, search } = new URL(job.result?.url ?? '')
  const { body } = await fetch(url + pathname + search)
  if (!body) throw new Error('the archive has no bytes')
  await pipeline(Readable.fromWeb(body), createWriteStream(file))
  const { size } = await stat(file)
  if (size < FILES * FILE_BYTES) throw new Error(`the archive has ${size} bytes only`)
}

/** The most memory that a host needs for some work, in MiB above what it held before. */
async function growth(host: Host, work: () => Promise<void>): Promise<number> {
  await sleep(IDLE_MS)
  const idle = await host.memory()
  const { most } = await watchMemory(host, work)
  return Math.round((most - idle) / 1_048_576)
}

/** How much memory a host needs to export a profile with 1 GB of files, and another host to import it. */
export async function measureArchives(
  connectionStrings: readonly [string, string],
): Promise<readonly Omit<Footprint, 'database'>[]> {
  const root = await mkdtemp(join(tmpdir(), 'eep-bench-archives-'))
  const file = join(root, 'export.zip')
  const start = (index: 0 | 1) => {
    const order = { directory: join(root, `host-${index}`), connectionString: connectionStrings[index] }
    return startServer<ArchiveHost>('./archives-server.ts', order)
  }
  const row = (what: string, value: number) => ({ what, value, must: MAX_GROWTH_MIB, unit: 'MiB' as const })
  try {
    const filled = await start(0)
    await fill(filled)
    filled.stop()

    const exporting = await start(0)
    const { url } = exporting.report
    const exported = await growth(exporting, async () => exportTo(url, await signIn(url), file))
    exporting.stop()

    const importing = await start(1)
    const to = importing.report.url
    const imported = await growth(importing, async () => {
      const token = await signUp(to)
      await ended(to, token, await ask<Job>(`${to}/import`, token, form({}, 'export.zip', createReadStream(file))))
    })
    importing.stop()
    return [
      row('export and download of a profile with 1 GB of files, above idle', exported),
      row('upload and import of the same, above idle', imported),
    ]
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
