import { setTimeout as sleep } from 'node:timers/promises'
import { busyness } from './busyness.ts'
import type { Checks } from './checks.ts'
import type { Answer, Requests, Wanted } from './requests.ts'

/** A fault that the run makes. */
export interface Fault {
  readonly kind: string
  readonly at: number
  /** When everything was ready again. */
  recoveredAt?: number
  /** Whether reads may remain without an answer. */
  readonly isExcused: boolean
}

/** After a recovery: pools connect again, and what waited is processed. */
const GRACE_MS = 5_000
/** How long a client repeats a write whose outcome it does not know. An idempotency key of a dead process is locked for a minute. */
const PATIENCE_MS = 180_000
const PROBE_MS = 1_000
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 8_000

/** What happened to requests of a kind. */
export interface Tally {
  readonly times: number[]
  /** Responses during faults, in addition. */
  readonly timesInFaults: number[]
  /** Attempts that another instance or a repetition made good. */
  retried: number
  /** Reads that no instance answered. */
  failed: number
}

export interface TrafficDeps {
  readonly requests: Requests
  readonly urls: readonly string[]
  readonly checks: Checks
}

/** A connection that was refused carried nothing; of one that was lost, the request may have been processed. */
type NoAnswer = 'refused' | 'lost'

const isUnavailable = ({ status }: Answer) => [500, 502, 503, 504].includes(status)
const isInFlight = ({ status, body }: Answer) => status === 409 && body.includes('idempotency_in_flight')

/** The time before the next attempt: what the service asks for, and longer after each attempt. */
function delayOf(answer: Answer | undefined, attempts: number): number {
  const asked = Number(answer?.headers['retry-after'] ?? 0) * 1_000 || 0
  return Math.max(asked, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts)) * (0.5 + Math.random())
}

/** Sends requests as clients behind a load balancer do, and counts what happens to them. */
export function createTraffic({ requests, urls, checks }: TrafficDeps) {
  const tallies = new Map<string, Tally>()
  const faults: Fault[] = []
  const lost = new Map<string, number>()

  const tallyOf = (kind: string): Tally => {
    const known = tallies.get(kind) ?? { times: [], timesInFaults: [], retried: 0, failed: 0 }
    tallies.set(kind, known)
    return known
  }
  const during = (from: number, to: number) =>
    faults.filter(
      ({ at, recoveredAt = Number.POSITIVE_INFINITY }) => at <= to && from <= recoveredAt + GRACE_MS * busyness(),
    )
  const ready = new Set(urls)

  /** The instances in the order in which they are tried: those that are ready first, like a load balancer. */
  const order = () => urls.toSorted(() => Math.random() - 0.5).toSorted((a, b) => rankOf(a) - rankOf(b))
  const rankOf = (url: string) => (ready.has(url) ? 0 : 1)

  async function probe(url: string): Promise<void> {
    const answer = await requests.request(url, { path: '/health/ready' }).catch(() => undefined)
    if (answer?.status === 200) ready.add(url)
    else ready.delete(url)
  }

  async function attempt(kind: string, url: string, wanted: Wanted): Promise<Answer | NoAnswer> {
    const begun = performance.now()
    try {
      const answer = await requests.request(url, wanted)
      if (answer.status === 500) checks.violate('answers', `${kind} ${wanted.path}: 500 ${answer.body}`)
      if (isUnavailable(answer) || isInFlight(answer)) return answer
      const { times, timesInFaults } = tallyOf(kind)
      if (during(begun, performance.now()).length > 0) timesInFaults.push(answer.ms)
      else times.push(answer.ms)
      return answer
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException
      lost.set(code, (lost.get(code) ?? 0) + 1)
      return code === 'ECONNREFUSED' ? 'refused' : 'lost'
    }
  }

  return {
    tallies,
    faults,
    /** Responses that did not arrive, by the code of the error. */
    lost,
    during,

    /** Asks each instance every second whether it is ready, until `signal` is aborted. */
    async probe(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await Promise.all(urls.map(probe))
        await sleep(PROBE_MS)
      }
    },

    /** Reads from one instance, else from the other one. Returns undefined when neither answers. */
    async read(kind: string, wanted: Wanted): Promise<Answer | undefined> {
      const begun = performance.now()
      for (const url of order()) {
        const answer = await attempt(kind, url, wanted)
        if (typeof answer !== 'string' && !isUnavailable(answer)) return answer
        tallyOf(kind).retried += 1
      }
      tallyOf(kind).failed += 1
      if (!during(begun, performance.now()).some(({ isExcused }) => isExcused)) {
        checks.violate('available', `${kind} ${wanted.path}: no instance answered`)
      }
      return undefined
    },

    /**
     * Sends a write until its outcome is known. `onLost` is called when a response did not arrive or was a 5xx, so the write
     * may have taken effect. Returns undefined after three minutes, or longer on a busy machine.
     */
    async write(kind: string, wanted: Wanted, onLost: () => void): Promise<Answer | undefined> {
      const begun = performance.now()
      let attempts = 0
      while (performance.now() - begun < PATIENCE_MS * busyness()) {
        const answer = await attempt(kind, order()[0] ?? '', wanted)
        const isAnswer = typeof answer !== 'string'
        if (isAnswer && !isUnavailable(answer) && !isInFlight(answer)) return answer
        tallyOf(kind).retried += 1
        if (answer === 'lost' || (isAnswer && isUnavailable(answer))) onLost()
        if (during(begun, performance.now()).length === 0 && !(isAnswer && isInFlight(answer))) {
          const what = isAnswer ? `${answer.status} ${answer.body.toString().slice(0, 200)}` : answer
          checks.violate('available', `${kind} ${wanted.path}: ${what}`)
        }
        await sleep(delayOf(isAnswer ? answer : undefined, attempts++))
      }
      checks.violate(
        'available',
        `${kind} ${wanted.path}: its outcome stayed unknown for ${Math.round((performance.now() - begun) / 1_000)} s`,
      )
      return undefined
    },
  }
}

export type Traffic = ReturnType<typeof createTraffic>
