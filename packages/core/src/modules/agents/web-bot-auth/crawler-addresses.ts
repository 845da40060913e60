import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'
import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/durations.ts'
import type { BotRequest } from '../../../model/bot.ts'
import { SEARCH_ENGINES, type SearchEngine, searchEngines } from '../../../model/known-agents.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'

/** The search engines to prove by address: where their operators publish them. */
export type CrawlerAddresses = Readonly<Partial<Record<SearchEngine, true | string | undefined>>>

/** The search engines that are proven by their addresses. */
export const enginesIn = (addresses: CrawlerAddresses = {}): readonly SearchEngine[] =>
  searchEngines.filter((engine) => addresses[engine] !== undefined)

export interface CrawlerAddressesDeps {
  readonly engines: CrawlerAddresses
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly report: (error: unknown) => void
}

const MAX_BYTES = 65_536
const KEPT_MS = 7 * DAY_MS
/** Wider ranges belong to no single operator. */
const MIN_BITS = { ipv4: 8, ipv6: 16 }

const published = z.looseObject({
  prefixes: z
    .array(z.looseObject({ ipv4Prefix: z.string().max(50).optional(), ipv6Prefix: z.string().max(50).optional() }))
    .min(1)
    .max(5_000),
})

interface Known {
  readonly token: string
  readonly url: string
  addresses: BlockList | undefined
  fetchedAt: number
}

function addRange(list: BlockList, prefix: string | undefined, type: 'ipv4' | 'ipv6'): void {
  const [net = '', bits = ''] = prefix?.split('/') ?? []
  const isAddress = type === 'ipv4' ? isIPv4(net) : isIPv6(net)
  const [length, longest] = [Number(bits), type === 'ipv4' ? 32 : 128]
  if (!isAddress || !/^\d{1,3}$/.test(bits) || length < MIN_BITS[type] || length > longest) return
  list.addSubnet(net, length, type)
}

/** Reads a published list of addresses. @throws when it is not one */
function readAddresses(body: string): BlockList {
  const list = new BlockList()
  for (const { ipv4Prefix, ipv6Prefix } of published.parse(JSON.parse(body)).prefixes) {
    addRange(list, ipv4Prefix, 'ipv4')
    addRange(list, ipv6Prefix, 'ipv6')
  }
  return list
}

/**
 * Recognizes the crawlers of search engines by their user agent and their address together, from the lists that their operators publish.
 * The lists are fetched daily and used for at most a week.
 */
export function createCrawlerAddresses({ engines, fetch, clock, report }: CrawlerAddressesDeps) {
  const known = new Map<SearchEngine, Known>()
  for (const name of Object.keys(SEARCH_ENGINES) as SearchEngine[]) {
    const wanted = engines[name]
    if (wanted === undefined) continue
    const { token, addresses } = SEARCH_ENGINES[name]
    known.set(name, {
      token: token.toLowerCase(),
      url: wanted === true ? addresses : wanted,
      addresses: undefined,
      fetchedAt: Number.NEGATIVE_INFINITY,
    })
  }

  async function refreshOne(engine: Known): Promise<void> {
    if (clock().getTime() - engine.fetchedAt < DAY_MS) return
    try {
      const { status, body } = await fetch(engine.url, { headers: { accept: 'application/json' }, maxBytes: MAX_BYTES })
      if (status !== 200) throw new Error(`${engine.url} answered with ${status}`)
      engine.addresses = readAddresses(body.toString('utf8'))
      engine.fetchedAt = clock().getTime()
    } catch (error) {
      report(error)
    }
  }

  async function refresh(): Promise<void> {
    for (const engine of known.values()) await refreshOne(engine)
  }
  const worker: Worker = timed(refresh, { everyMs: HOUR_MS, firstMs: 0, onError: report })

  return {
    worker,
    refresh,
    /** Returns the search engine whose crawler sent a request. */
    engineOf({ ip, headers }: Pick<BotRequest, 'ip' | 'headers'>): SearchEngine | undefined {
      const userAgent = headers['user-agent']
      if (typeof userAgent !== 'string' || ip === undefined) return undefined
      const agent = userAgent.slice(0, 512).toLowerCase()
      const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      const oldest = clock().getTime() - KEPT_MS
      for (const [name, { token, addresses, fetchedAt }] of known) {
        if (addresses && fetchedAt > oldest && agent.includes(token) && addresses.check(address, family)) return name
      }
      return undefined
    },
  }
}
