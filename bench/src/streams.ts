import { setTimeout as sleep } from 'node:timers/promises'
import type { Footprint } from './footprint.ts'
import { type Measured, median, type Pair } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Got, StreamClients } from './stream-clients.ts'
import type { Begun, StreamSubject } from './stream-subject.ts'

const PATH = '/stream/signals?types=entity.updated'
/** Of a bare loop over the same sockets. */
const MUST = 0.7
const CLIENTS = 1_000
const WARM_ROUNDS = 10
const ROUNDS = 50

const IDLE_STREAMS = 10_000
const MAX_KIB_EACH = 30
const MAX_MIB = 300
/** V8 and the operating system take back what connecting needed within this time. */
const IDLE_MS = 10_000

const WRITES_PER_SECOND = 100
const WRITES = 1_000
/** Before the writes that are measured: the first hundred of a process run code that is not compiled yet. */
const WARM_WRITES = 300
const MAX_LATENCY_MS = 250

const KIB = 1_024

type Server = Awaited<ReturnType<typeof startServer<StreamSubject>>>
type Clients = Awaited<ReturnType<typeof startServer<StreamClients>>>

async function send<Answer>(url: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, body && { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.json() as Promise<Answer>
}

const startSubject = (connectionString: string, built = false) =>
  startServer<StreamSubject>('./stream-subject.ts', { connectionString }, { built: built && !process.env.SRC })
const startClients = () => startServer<StreamClients>('./stream-clients.ts', {})

const open = (clients: Clients, { report: { url } }: Server, count: number) =>
  send(`${clients.report.url}/open?${new URLSearchParams({ url: url + PATH, count: String(count) })}`)
const writeEvent = ({ report: { url } }: Server) => send<Begun>(`${url}/bench/event`, {})
const got = (clients: Clients, count: number) => send<Got>(`${clients.report.url}/times?count=${count}`)

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((left, right) => left - right)[Math.ceil(values.length * share) - 1] ?? Number.NaN

/**
 * From the moment that an instance has read an event from the log until the last of 1,000 clients has got it, against a bare
 * loop over the same sockets.
 */
async function measureFanOut(
  connectionString: string,
): Promise<{ readonly what: string; readonly must: number } & Pair> {
  const [subject, clients] = await Promise.all([startSubject(connectionString), startClients()])
  try {
    await writeEvent(subject)
    await open(clients, subject, CLIENTS)
    const round = async (begin: () => Promise<Begun>) => {
      await send(`${clients.report.url}/reset`)
      const { at } = await begin()
      const { times, frame } = await got(clients, CLIENTS)
      return { ms: Math.max(...times) - at, frame }
    }
    const fanOut = () => send<Begun>(`${subject.report.url}/bench/fan-out`, {})
    const first = await round(fanOut)
    const frame = /id: .+\nevent: .+\ndata: .+\n\n/.exec(first.frame)?.[0]
    if (frame === undefined) throw new Error(`no frame: ${first.frame}`)
    const bare = () => send<Begun>(`${subject.report.url}/bench/bare`, { frame })
    const rounds: { readonly subject: number; readonly bare: number }[] = []
    for (let each = 0; each < WARM_ROUNDS + ROUNDS; each++) {
      const [theirs, ours] = [await round(bare), await round(fanOut)]
      if (each >= WARM_ROUNDS) rounds.push({ subject: ours.ms, bare: theirs.ms })
    }
    const measured = (times: readonly number[]): Measured => ({
      requestsPerSecond: (CLIENTS * 1_000) / median(times),
      p99Ms: Math.round(percentile(times, 0.99) * 100) / 100,
    })
    return {
      what: `frames of one event for ${CLIENTS.toLocaleString('en')} streams, from the log to the last client`,
      must: MUST,
      subject: measured(rounds.map((each) => each.subject)),
      bare: measured(rounds.map((each) => each.bare)),
      ratio: median(rounds.map((each) => each.bare / each.subject)),
    }
  } finally {
    subject.stop()
    clients.stop()
  }
}

/** What 10,000 streams without events add to the memory of an instance. */
async function measureIdle(connectionString: string): Promise<readonly Omit<Footprint, 'database'>[]> {
  const [subject, clients] = await Promise.all([startSubject(connectionString, true), startClients()])
  try {
    await writeEvent(subject)
    await open(clients, subject, 100)
    await sleep(IDLE_MS)
    const before = await subject.memory()
    await open(clients, subject, IDLE_STREAMS)
    await sleep(IDLE_MS)
    const bytes = (await subject.memory()) - before
    const each = Math.round((bytes / IDLE_STREAMS / KIB) * 10) / 10
    const many = IDLE_STREAMS.toLocaleString('en')
    return [
      { what: `memory of each of ${many} idle streams`, must: MAX_KIB_EACH, value: each, unit: 'KiB' },
      { what: `memory of ${many} idle streams`, must: MAX_MIB, value: Math.round(bytes / KIB / KIB), unit: 'MiB' },
    ]
  } finally {
    subject.stop()
    clients.stop()
  }
}

/** From the commit on one instance to the frame at a client of another one, while one event after the other is written. */
async function measureLatency(connectionString: string): Promise<Omit<Footprint, 'database'>> {
  const [writer, other, clients] = [
    await startSubject(connectionString),
    await startSubject(connectionString),
    await startClients(),
  ]
  try {
    await writeEvent(writer)
    // The other instance has this one too before the client connects.
    await sleep(IDLE_MS / 10)
    await open(clients, other, 1)
    const write = async (count: number) => {
      const begun: Promise<Begun>[] = []
      const start = performance.now()
      for (let each = 0; each < count; each++) {
        await sleep(Math.max(0, start + (each * 1_000) / WRITES_PER_SECOND - performance.now()))
        begun.push(writeEvent(writer))
      }
      const commits = (await Promise.all(begun)).map(({ at }) => at).sort((left, right) => left - right)
      return { commits, perSecond: Math.round((count * 1_000) / (performance.now() - start)) }
    }
    await write(WARM_WRITES)
    await got(clients, WARM_WRITES)
    await send(`${clients.report.url}/reset`)
    const { commits, perSecond } = await write(WRITES)
    const { times } = await got(clients, WRITES)
    const latencies = times.map((time, index) => time - (commits[index] ?? Number.NaN))
    return {
      // A machine that is too busy writes fewer, and then the time means little.
      what: `p99 from commit to frame at a client of another instance, ${perSecond} writes a second`,
      must: MAX_LATENCY_MS,
      value: Math.round(percentile(latencies, 0.99) * 10) / 10,
      unit: 'ms',
    }
  } finally {
    writer.stop()
    other.stop()
    clients.stop()
  }
}

/** What streams reach, each on an empty database. */
export async function measureStreams(newDatabase: () => Promise<string>) {
  return {
    rows: [await measureFanOut(await newDatabase())],
    footprints: [await measureLatency(await newDatabase()), ...(await measureIdle(await newDatabase()))],
  }
}
