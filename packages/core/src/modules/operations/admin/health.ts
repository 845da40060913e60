import type { ListenerContext } from '../../../framework/module/define-module.ts'
import type { StorageWorkload } from '../../../ports/storage/storage.ts'
import type { OutboxStats } from '../../../runtime/email/outbox.ts'
import type { SearchService, SearchServiceStats } from '../../discovery/search/index.ts'

type Readiness = Awaited<ReturnType<ListenerContext['readiness']>>

export interface HealthDeps extends Pick<ListenerContext, 'readiness' | 'parts'> {
  readonly workload: () => Promise<StorageWorkload | undefined>
  readonly outbox: { stats(): OutboxStats }
  /** The ids of the rails of the service. */
  readonly rails: readonly string[]
  /** Undefined when search is off. */
  readonly search: Pick<SearchService, 'stats'> | undefined
  /** Receives errors of parts that could not be measured. */
  readonly report: (error: unknown) => void
}

/** The state of a service, as its administrators see it. What could not be measured is `null`. */
export interface ServiceHealth {
  readonly status: Readiness['status']
  /** Each part that the readiness check pings, and whether it is available. */
  readonly parts: ReadonlyMap<string, boolean>
  readonly workload: StorageWorkload | null
  readonly mail: OutboxStats
  /** `off` when the service has no search. */
  readonly index: SearchServiceStats | 'off' | null
  readonly rails: readonly RailHealth[]
}

export interface RailHealth {
  readonly id: string
  /** Whether its ping succeeded; null for a rail without one. */
  readonly isAvailable: boolean | null
  /** Payments without an outcome; null when they could not be counted. */
  readonly settling: number | null
  readonly unknown: number | null
}

const WITHIN_MS = 3_000

/** Returns the result, or null when it fails or takes longer than three seconds. */
async function orNull<Value>(work: () => Promise<Value>, report: HealthDeps['report']): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WITHIN_MS).unref()
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    report(error)
    return null
  } finally {
    clearTimeout(timer)
  }
}

function downIn(readiness: Readiness): Readonly<Record<string, string>> {
  if (readiness.status === 'ready') return {}
  return readiness.status === 'degraded' ? readiness.degraded : readiness.reasons
}

/** Returns a function that measures the parts of the service, each by itself, so that one that is down hides no other. */
export function createHealth({ readiness, parts, workload, outbox, rails, search, report }: HealthDeps) {
  return async (): Promise<ServiceHealth> => {
    const [found, work, index] = await Promise.all([
      readiness(),
      orNull(async () => (await workload()) ?? null, report),
      search ? orNull(() => search.stats(), report) : ('off' as const),
    ])
    const down = downIn(found)
    const available = new Map(parts.map((part) => [part, !Object.hasOwn(down, part)]))
    const countOf = (rail: string, state: 'settling' | 'unknown') => {
      const open = work?.payments.filter((payment) => payment.rail === rail && payment.state === state)
      return open ? open.reduce((sum, { count }) => sum + count, 0) : null
    }
    return {
      status: found.status,
      parts: available,
      workload: work,
      mail: outbox.stats(),
      index,
      rails: rails.map((id) => ({
        id,
        isAvailable: available.get(id) ?? null,
        settling: countOf(id, 'settling'),
        unknown: countOf(id, 'unknown'),
      })),
    }
  }
}
