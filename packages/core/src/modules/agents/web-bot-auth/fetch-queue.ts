import { createKeyedSemaphore, createSemaphore } from '../../../kernel/semaphore.ts'
import type { KeyHost } from './key-host.ts'

/** How many fetches run at a time, and how many may run or wait: in all, for one host, and for the domains above it. */
export interface FetchQueueLimits {
  readonly atOnce: number
  readonly maxInAll: number
  readonly maxOfHost: number
  readonly maxOfArea: number
  readonly maxOfSite: number
}

const namesOf = ({ host, area, site }: KeyHost): ReadonlySet<string> =>
  new Set([`host ${host}`, `area ${area}`, `site ${site}`])

/**
 * A queue of fetches, in which a host gets one request at a time. A client that names many hosts below one domain fills a part of it only, and
 * hosts that share no more than a public suffix do not wait for each other.
 */
export function createFetchQueue({ atOnce, maxInAll, maxOfHost, maxOfArea, maxOfSite }: FetchQueueLimits) {
  const hosts = createKeyedSemaphore()
  const slots = createSemaphore(atOnce)
  const lengths = new Map<string, number>()
  let length = 0

  function change(at: KeyHost, by: 1 | -1): void {
    length += by
    for (const name of namesOf(at)) {
      const next = (lengths.get(name) ?? 0) + by
      if (next === 0) lengths.delete(name)
      else lengths.set(name, next)
    }
  }

  const lengthOf = (name: string): number => lengths.get(name) ?? 0

  return {
    /** Whether another fetch would have to wait for too many others. */
    isFull: ({ host, area, site }: KeyHost): boolean =>
      length >= maxInAll ||
      lengthOf(`host ${host}`) >= maxOfHost ||
      lengthOf(`area ${area}`) >= maxOfArea ||
      lengthOf(`site ${site}`) >= maxOfSite,

    /** @throws the reason of the signal, when it is aborted before the fetch begins */
    async run(at: KeyHost, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
      change(at, 1)
      try {
        await hosts.run(at.host, signal, () => slots.run(signal, work))
      } finally {
        change(at, -1)
      }
    },
  }
}
