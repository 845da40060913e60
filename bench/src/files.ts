import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { startS3Server } from '@eep/test/support/s3-server'
import type { FileServer, Place } from './files-server.ts'
import { type Measured, median, middle, type Pair } from './measure.ts'
import { startServer, watchMemory } from './server-process.ts'

const MEGABYTES = 100
const CHUNK = Buffer.alloc(65_536, 'some bytes of a large file, ')
const CHUNKS = (MEGABYTES * 1_048_576) / CHUNK.length
const ROUNDS = 5
const MAX_GROWTH_MIB = 150

type Server = Awaited<ReturnType<typeof startServer<FileServer>>>

/** Sends a request on a new connection, and returns a successful answer. */
async function ask<Found>(
  url: string,
  options: RequestOptions,
  body: Iterable<string | Buffer>,
  read: (answer: Readable) => Promise<Found>,
): Promise<Found> {
  const request = httpRequest(url, { ...options, agent: false })
  const answered = new Promise<Found>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (answer) => {
      const good = answer.statusCode === 200
      const found = good ? read(answer) : text(answer).then((said) => Promise.reject(new Error(said)))
      found.then(resolve, reject)
    })
  })
  await Promise.all([pipeline(Readable.from(body, { objectMode: false }), request), answered])
  return answered
}

/** Sends a file, and answers with where it is. */
async function send({ url, headers, before, after }: FileServer): Promise<string> {
  const body = (function* () {
    if (before) yield before
    for (let each = 0; each < CHUNKS; each++) yield CHUNK
    if (after) yield after
  })()
  const answer = await ask(url, { method: 'POST', headers }, body, text)
  return `${url}/${JSON.parse(answer).id}`
}

async function receive(url: string): Promise<void> {
  let size = 0
  await ask(url, {}, [], async (answer) => {
    for await (const chunk of answer) size += (chunk as Buffer).length
  })
  if (size !== CHUNKS * CHUNK.length) throw new Error(`${url} has ${size} bytes`)
}

interface Round {
  readonly ms: { readonly send: number; readonly receive: number }
  readonly most: number
}

async function measureRound(server: Server): Promise<Round> {
  const sent = await watchMemory(server, () => send(server.report))
  const received = await watchMemory(server, () => receive(sent.result))
  return { ms: { send: sent.ms, receive: received.ms }, most: Math.max(sent.most, received.most) }
}

const measuredOf = (ms: number): Measured => ({ requestsPerSecond: MEGABYTES / (ms / 1_000), p99Ms: Math.round(ms) })

/** A file of 100 MB, sent to the service and to a bare route by turns, and received from them. */
async function measurePlace(name: string, place: Place, connectionString: string | undefined) {
  const service = await startServer<FileServer>('./files-server.ts', { place, bare: false, connectionString })
  const bare = await startServer<FileServer>('./files-server.ts', { place, bare: true })
  const idle = await service.memory()
  const rounds: { readonly subject: Round; readonly bare: Round }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await measureRound(bare), subject: await measureRound(service) })
  }
  service.stop()
  bare.stop()
  const memoryMiB = Math.round((Math.max(...rounds.map(({ subject }) => subject.most)) - idle) / 1_048_576)
  if (memoryMiB > MAX_GROWTH_MIB) throw new Error(`the service holds ${memoryMiB} MiB more for files ${name}`)
  return (['send', 'receive'] as const).map((way): { readonly what: string } & Pair => ({
    what: `${way === 'send' ? 'upload' : 'download'} of ${MEGABYTES} MB ${name}, at most ${memoryMiB} MiB above idle`,
    subject: middle(rounds.map(({ subject }) => measuredOf(subject.ms[way]))),
    bare: middle(rounds.map((round) => measuredOf(round.bare.ms[way]))),
    ratio: median(rounds.map(({ subject, bare: other }) => other.ms[way] / subject.ms[way])),
  }))
}

/** Large files through the service, and through a bare route to the same store; the rates are MB/s. */
export async function measureFiles(connectionStrings: readonly [string, string] | undefined) {
  const directory = await mkdtemp(join(tmpdir(), 'eep-bench-files-'))
  const server = await startS3Server()
  try {
    const rows = await measurePlace('on disk', { directory }, connectionStrings?.[0])
    if (typeof server === 'string') {
      console.warn(server)
      return rows
    }
    const { endpoint, region, credentials, bucket } = server
    const place = { endpoint, region, credentials, bucket }
    return [...rows, ...(await measurePlace(`in a bucket (${server.name})`, place, connectionStrings?.[1]))]
  } finally {
    if (typeof server !== 'string') await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
