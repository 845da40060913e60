import { createHistogram } from 'node:perf_hooks'
import autocannon from 'autocannon'
import type { Answer } from './bare.ts'

export interface Load {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Measured {
  readonly requestsPerSecond: number
  readonly p99Ms: number
}

/** A pair that is compared: what we measure and what we measure it against. */
export interface Pair {
  readonly subject: Measured
  readonly bare: Measured
  /** Requests per second of the subject in those of the bare route: the median of the rounds. */
  readonly ratio: number
}

const CONNECTIONS = 20
// Until V8 has compiled what a request runs through, which takes 12 seconds in the example host; a deployed host has done so.
const WARM_SECONDS = 10
const BARE_WARM_SECONDS = 4
// Short rounds that take turns: what else the machine does meets both.
const SECONDS = 1
const ROUNDS = 5

/** Asks for one address on 20 connections. */
export async function run({ url, headers = {} }: Load, duration: number): Promise<Measured> {
  const microseconds = createHistogram()
  const { requests, errors, timeouts } = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration,
    // The load's own histogram knows whole milliseconds only, and most answers take less than one.
    setupClient: (client) =>
      client.on('response', (_status, _bytes, ms) => microseconds.record(Math.max(1, Math.round(ms * 1_000)))),
  })
  if (errors + timeouts > 0) throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts`)
  return { requestsPerSecond: requests.average, p99Ms: Math.round(microseconds.percentile(99) / 10) / 100 }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

/** The 95th percentile of some values. */
export const p95 = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

export const middle = (rounds: readonly Measured[]): Measured => ({
  requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
  p99Ms: median(rounds.map((round) => round.p99Ms)),
})

/** Measures both by turns, so that what else the machine does meets both. */
export async function compare(subject: Load, bare: Load): Promise<Pair> {
  await run(subject, WARM_SECONDS)
  await run(bare, BARE_WARM_SECONDS)
  const rounds: { subject: Measured; bare: Measured }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ bare: await run(bare, SECONDS), subject: await run(subject, SECONDS) })
  }
  return {
    subject: middle(rounds.map((round) => round.subject)),
    bare: middle(rounds.map((round) => round.bare)),
    ratio: median(rounds.map((round) => round.subject.requestsPerSecond / round.bare.requestsPerSecond)),
  }
}

/** Headers that say how the bytes travel; the bare server makes its own. */
const TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/** What an address answers, for a bare route to answer the same. */
export async function answerOf(url: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const response = await fetch(url, { headers })
  const sent = [...response.headers].filter(([name]) => !TRANSPORT.has(name))
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  return { status: response.status, headers: Object.fromEntries(sent), body }
}
