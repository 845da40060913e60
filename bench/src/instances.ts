import { type Load, type Measured, median, middle, type Pair, run } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

/** Reads, and how many times the rate of one instance two of them must reach, each on a separate processor. */
const READS = [
  { what: 'public profile, JSON', must: 1.7, path: 'profile', headers: () => ({ accept: 'application/json' }) },
  { what: 'entitled read of a gated page', must: 1.5, path: 'page', headers: ({ payer }: Subject) => ({ ...payer }) },
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

/** How many times as many requests two processors serve as one, when each instance has a processor. */
const scalingOf = (two: Measured, one: Measured) =>
  (2 * (one.serverMicros ?? Number.NaN)) / (two.serverMicros ?? Number.NaN)

/**
 * Two instances on one database against one of them. The load takes processor time too: on two processors, two servers and the
 * load share what one server had nearly alone, so requests per second cannot double. What a second instance adds is therefore
 * computed from the processor time per request, which contention for memory and for the database would raise.
 */
export async function measureInstances(connectionString: string) {
  const first = await startServer<Subject>('./subject.ts', { connectionString })
  const second = await startServer<Subject>('./subject.ts', { connectionString, seller: first.report })
  const rows: ({ readonly what: string; readonly against: string; readonly must: number } & Pair)[] = []
  try {
    for (const { what, must, path, headers } of READS) {
      const [one, other] = [first, second].map(({ report, pid }) => {
        const load = { url: report.url + first.report[path], headers: headers(first.report), pid }
        return load satisfies Load
      })
      if (!one || !other) throw new Error('an instance is missing')
      for (const load of [one, other]) await runAll([load], WARM_SECONDS)
      const rounds: Pick<Pair, 'subject' | 'bare'>[] = []
      for (let round = 0; round < ROUNDS; round++) {
        if (round % 2 === 0)
          rounds.push({ bare: await runAll([one], SECONDS), subject: await runAll([one, other], SECONDS) })
        else rounds.push({ subject: await runAll([one, other], SECONDS), bare: await runAll([one], SECONDS) })
      }
      const measured = {
        subject: middle(rounds.map(({ subject }) => subject)),
        bare: middle(rounds.map(({ bare }) => bare)),
      }
      rows.push({
        ...{ what: `${what}, two instances on a processor each`, against: 'one instance', must },
        ...measured,
        ratio: median(rounds.map(({ subject, bare }) => scalingOf(subject, bare))),
      })
      rows.push({
        ...{ what: `${what}, two instances and the load on the same processors`, against: 'one instance', must: 0.9 },
        ...measured,
        ratio: median(rounds.map(({ subject, bare }) => subject.requestsPerSecond / bare.requestsPerSecond)),
      })
    }
    return rows
  } finally {
    first.stop()
    second.stop()
  }
}
