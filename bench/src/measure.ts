import { readFile } from 'node:fs/promises'
import { createHistogram } from 'node:perf_hooks'
import { serverOptions } from '@eep/core'
import autocannon from 'autocannon'
import type { Answer } from './bare.ts'

export interface Load {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default: GET. */
  readonly method?: 'GET' | 'POST' | undefined
  readonly body?: string | undefined
  /** The process that serves it, whose processor time is measured; unknown without it. */
  readonly pid?: number | undefined
  /** Default: 20. */
  readonly connections?: number | undefined
}

export interface Measured {
  readonly requestsPerSecond: number
  readonly p99Ms: number
  /** Processor time that the server took for a request, in all of its threads; absent where it is not measured. */
  readonly serverMicros?: number | undefined
  /** Processor time that the load took for a request. Where it is more than that of the server, the load is measured. */
  readonly loadMicros?: number | undefined
}

/** A pair that is compared: what we measure and what we measure it against. */
export interface Pair {
  readonly subject: Measured
  readonly bare: Measured
  /** Requests per second of the subject in those of the bare route: the median of the rounds. */
  readonly ratio: number
  /**
   * The processor time of the bare server for a request in that of the subject: the median of the rounds. Other work on the
   * machine changes it less than `ratio`.
   */
  readonly cpuRatio?: number | undefined
}

const CONNECTIONS = 20
// Until V8 has compiled what a request runs through, which takes 12 seconds in the example host; a deployed host has done so.
const WARM_SECONDS = 10
const BARE_WARM_SECONDS = 4
// Short rounds that take turns: what else the machine does meets both of a pair.
const SECONDS = 1
const ROUNDS = 15

/** Linux counts the processor time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** The processor time that a process has taken, in seconds; NaN without its id and on systems without `/proc`. */
async function cpuSeconds(pid: number | undefined): Promise<number> {
  const text = pid === undefined ? undefined : await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return Number.NaN
  // The name in parentheses may contain spaces; user and system time are the 12th and 13th field after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Asks for one address on some connections. */
export async function run(
  { url, headers = {}, method = 'GET', body, pid, connections = CONNECTIONS }: Load,
  duration: number,
): Promise<Measured> {
  const microseconds = createHistogram()
  const [cpuBefore, ownBefore] = [await cpuSeconds(pid), process.cpuUsage()]
  const {
    requests,
    errors,
    timeouts,
    '5xx': failed,
  } = await autocannon({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    connections,
    duration,
    // The service closes a connection after as many requests, and the load would go on sending.
    reconnectRate: serverOptions.maxRequestsPerSocket,
    // The load's own histogram knows whole milliseconds only, and most answers take less than one.
    setupClient: (client) =>
      client.on('response', (_status, _bytes, ms) => microseconds.record(Math.max(1, Math.round(ms * 1_000)))),
  })
  if (errors + timeouts + failed > 0) {
    throw new Error(`${url}: ${errors} errors, ${timeouts} timeouts, ${failed} responses of a failure`)
  }
  const [cpuAfter, own] = [await cpuSeconds(pid), process.cpuUsage(ownBefore)]
  return {
    requestsPerSecond: requests.average,
    p99Ms: Math.round(microseconds.percentile(99) / 10) / 100,
    serverMicros: ((cpuAfter - cpuBefore) * 1_000_000) / requests.total,
    loadMicros: (own.user + own.system) / requests.total,
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

/** The 95th percentile of some values. */
export const p95 = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

/** The median of each figure over some rounds. */
export const middle = (rounds: readonly Measured[]): Measured => ({
  requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
  p99Ms: median(rounds.map((round) => round.p99Ms)),
  serverMicros: median(rounds.map(({ serverMicros = Number.NaN }) => serverMicros)),
  loadMicros: median(rounds.map(({ loadMicros = Number.NaN }) => loadMicros)),
})

/** Compares rounds that took turns. */
const pairOf = (rounds: readonly Pick<Pair, 'subject' | 'bare'>[]): Pair => ({
  subject: middle(rounds.map(({ subject }) => subject)),
  bare: middle(rounds.map(({ bare }) => bare)),
  ratio: median(rounds.map(({ subject, bare }) => subject.requestsPerSecond / bare.requestsPerSecond)),
  cpuRatio: median(
    rounds.map(({ subject, bare }) => (bare.serverMicros ?? Number.NaN) / (subject.serverMicros ?? Number.NaN)),
  ),
})

/**
 * Measures rounds of both by turns, so that what else the machine does meets both. Either goes first, so that a slope in its
 * load does too.
 */
async function takeTurns(subject: Load, bare: Load): Promise<Pair> {
  const rounds: Pick<Pair, 'subject' | 'bare'>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) rounds.push({ bare: await run(bare, SECONDS), subject: await run(subject, SECONDS) })
    else rounds.push({ subject: await run(subject, SECONDS), bare: await run(bare, SECONDS) })
  }
  return pairOf(rounds)
}

/** Warms both up, and measures them by turns. */
export async function compare(subject: Load, bare: Load): Promise<Pair> {
  await run(subject, WARM_SECONDS)
  await run(bare, BARE_WARM_SECONDS)
  return takeTurns(subject, bare)
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
