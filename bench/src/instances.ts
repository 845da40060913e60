import type { Answer } from './bare.ts'
import { answerOf, type Load, type Measured, median, middle, type Pair, run } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

/**
 * Reads, and the part of the gain of a second bare server that the gain of a second instance must reach. Bare servers share the cores
 * and caches of the machine too.
 */
const READS = [
  {
    name: 'json',
    what: 'public profile, JSON',
    must: 0.85,
    path: 'profile',
    bare: '/json',
    headers: () => ({ accept: 'application/json' }),
  },
  {
    name: 'page',
    what: 'entitled read of a gated page',
    must: 0.75,
    path: 'page',
    bare: '/select/page',
    headers: ({ payer }: Subject) => ({ ...payer }),
  },
] as const

const CONNECTIONS = 20
const WARM_SECONDS = 8
const SECONDS = 2
const ROUNDS = 9

/** Loads all instances at the same time, with the same number of connections in total. */
async function runAll(loads: readonly Load[], seconds: number): Promise<Measured> {
  const each = await Promise.all(
    loads.map((load) => run({ ...load, connections: CONNECTIONS / loads.length }, seconds)),
  )
  const total = each.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0)
  const weighted = (value: (one: Measured) => number | undefined) =>
    each.reduce((sum, one) => sum + ((value(one) ?? Number.NaN) * one.requestsPerSecond) / total, 0)
  return {
    requestsPerSecond: total,
    p99Ms: Math.max(...each.map(({ p99Ms }) => p99Ms)),
    serverMicros: weighted(({ serverMicros }) => serverMicros),
    // Each run counted the time of the whole process for its own requests.
    loadMicros: 1 / each.reduce((sum, { loadMicros = Number.NaN }) => sum + 1 / loadMicros, 0),
  }
}

type Servers = readonly [Load, Load]

/** One instance and both, measured one after the other. */
interface Gain {
  readonly one: Measured
  readonly two: Measured
}

async function measureGain(servers: Servers): Promise<Gain> {
  return { one: await runAll(servers.slice(0, 1), SECONDS), two: await runAll(servers, SECONDS) }
}

/** How many times as many requests two processors serve as one, when each instance has a processor. */
const gainOfProcessors = ({ one, two }: Gain) =>
  (2 * (one.serverMicros ?? Number.NaN)) / (two.serverMicros ?? Number.NaN)
const gainOfRate = ({ one, two }: Gain) => two.requestsPerSecond / one.requestsPerSecond

/** What two instances of the service gain over one, against what two bare servers gain. */
async function compareGains(service: Servers, bare: Servers) {
  for (const load of [...service, ...bare]) await runAll([load], WARM_SECONDS)
  const rounds: { readonly service: Gain; readonly bare: Gain }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) rounds.push({ service: await measureGain(service), bare: await measureGain(bare) })
    else rounds.push({ bare: await measureGain(bare), service: await measureGain(service) })
  }
  const ratioOf = (gain: (of: Gain) => number) => median(rounds.map((round) => gain(round.service) / gain(round.bare)))
  return {
    measured: {
      subject: middle(rounds.map((round) => round.service.two)),
      bare: middle(rounds.map((round) => round.bare.two)),
    },
    processors: ratioOf(gainOfProcessors),
    rate: ratioOf(gainOfRate),
  }
}

/**
 * Two instances on one database against one of them. The load takes processor time too: on two processors, two servers and the
 * load share what one server had nearly alone, so requests per second cannot double. What a second instance adds is therefore
 * computed from the processor time per request, which contention for memory and for the database would raise. What processors of
 * this machine take from each other shows in two bare servers.
 */
export async function measureInstances(connectionString: string, bareConnectionString: string) {
  const first = await startServer<Subject>('./subject.ts', { connectionString })
  const second = await startServer<Subject>('./subject.ts', { connectionString, seller: first.report })
  const answers: Record<string, Answer> = {}
  for (const { name, path, headers } of READS)
    answers[name] = await answerOf(first.report.url + first.report[path], headers(first.report))
  const order = { connectionString: bareConnectionString, answers }
  const firstBare = await startServer<{ url: string }>('./bare.ts', order)
  const secondBare = await startServer<{ url: string }>('./bare.ts', order)
  const rows: ({ readonly what: string; readonly against: string; readonly must: number } & Pair)[] = []
  try {
    for (const { what, must, path, bare, headers: headersOf } of READS) {
      const headers = headersOf(first.report)
      const ofService = ({ report, pid }: typeof first) => ({ url: report.url + first.report[path], headers, pid })
      const ofBare = ({ report, pid }: typeof firstBare) => ({ url: report.url + bare, headers, pid })
      const { measured, processors, rate } = await compareGains(
        [ofService(first), ofService(second)],
        [ofBare(firstBare), ofBare(secondBare)],
      )
      const against = 'what two bare servers gain over one'
      rows.push({
        what: `${what}, gain of two instances on a processor each`,
        against,
        must,
        ...measured,
        ratio: processors,
      })
      rows.push({
        what: `${what}, gain of two instances that share the processors with the load`,
        against,
        must: 0.9,
        ...measured,
        ratio: rate,
      })
    }
    return rows
  } finally {
    for (const server of [first, second, firstBare, secondBare]) server.stop()
  }
}
