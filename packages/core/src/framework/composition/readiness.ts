import type { Readiness } from '../../http/environment.ts'
import { within } from '../../kernel/within.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { ReadinessCheck } from '../module/define-module.ts'
import { readinessChecks } from '../module/readiness-checks.ts'
import type { Settings } from '../options/options.ts'

export interface ReadinessTiming {
  /** A part that does not respond within this time counts as unavailable. Default: 3 seconds. */
  readonly timeoutMs?: number
  /** How long a result is reused. Default: 2 seconds. */
  readonly keptMs?: number
}

/** A ping without a response is abandoned after this time and sent again, so that a lost connection is detected. */
const GIVEN_UP_MS = 30_000

/** The external dependencies that a host can configure, with their names in `/health/ready`. */
function partsOf({ storage, payments, email }: Settings): readonly ReadinessCheck[] {
  return [
    ...readinessChecks('storage', storage),
    ...readinessChecks('mail', email.mailer),
    ...payments.rails.flatMap((rail) => readinessChecks(rail.id, rail)),
  ]
}

/** Pings one part within a time limit. A pending ping is reused, so that slow parts are not flooded. */
function createPing({ name, ping }: ReadinessCheck, timeoutMs: number, logger: EepLogger | undefined) {
  let pending: { readonly answer: Promise<unknown>; readonly since: number } | undefined
  let available = true

  async function answered(): Promise<void> {
    if (!pending || performance.now() - pending.since > GIVEN_UP_MS) {
      const own = { answer: ping(), since: performance.now() }
      pending = own
      const done = () => {
        if (pending === own) pending = undefined
      }
      own.answer.then(done, done)
    }
    await within(pending.answer, timeoutMs)
  }

  return async (): Promise<boolean> => {
    const before = available
    try {
      await answered()
      available = true
      if (!before) logger?.info({ part: name }, 'available again')
    } catch (error) {
      available = false
      // Probes run every few seconds; one log line per outage is enough.
      if (before) logger?.warn({ err: error, part: name }, 'unavailable')
    }
    return available
  }
}

/**
 * Checks the parts that a host configured. Only the storage decides whether the service is ready; every other part that
 * is unavailable makes it `degraded`.
 *
 * Concurrent callers share one check, and its result is reused for two seconds.
 */
export function createReadiness(
  settings: Settings,
  checks: readonly ReadinessCheck[] = [],
  { timeoutMs = 3_000, keptMs = 2_000 }: ReadinessTiming = {},
) {
  const pings = [...partsOf(settings), ...checks].map((part) => ({
    name: part.name,
    isAvailable: createPing(part, timeoutMs, settings.logger),
  }))
  let latest: Promise<Readiness> | undefined
  let keptUntil = 0

  async function check(): Promise<Readiness> {
    const answers = await Promise.all(
      pings.map(async ({ name, isAvailable }) => ((await isAvailable()) ? [] : [[name, 'unavailable'] as const])),
    )
    const { storage, ...degraded } = Object.fromEntries(answers.flat())
    keptUntil = performance.now() + keptMs
    if (storage) return { status: 'not_ready', reasons: { storage } }
    return Object.keys(degraded).length > 0 ? { status: 'degraded', degraded } : { status: 'ready' }
  }

  return {
    /** The names of the parts that are checked. */
    parts: pings.map(({ name }) => name),
    check(): Promise<Readiness> {
      if (latest && performance.now() < keptUntil) return latest
      keptUntil = Number.POSITIVE_INFINITY
      latest = check()
      return latest
    },
  }
}
