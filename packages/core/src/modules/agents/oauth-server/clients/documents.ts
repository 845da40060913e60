import type { Clock } from '../../../../kernel/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/durations.ts'
import type { LocalRateLimits } from '../../../../runtime/rate-limits/local-rate-limits.ts'
import { oauthError } from '../oauth-error.ts'
import type { App } from './app.ts'
import { freshMsOf, isJsonType, readDocument } from './cimd.ts'
import type { FetchDocument } from './fetch-document.ts'
import type { RedirectOptions } from './redirect-uri.ts'

const MAX_BYTES = 32_768
const TIMEOUT_MS = 5_000
const MAX_DOCUMENTS = 500
const FETCHES_PER_HOUR = 30
const FETCHES_OF_INSTANCE_PER_HOUR = 600

export interface DocumentsDeps {
  readonly fetch: FetchDocument
  readonly clock: Clock
  readonly counters: Pick<LocalRateLimits, 'count'>
  readonly scaled: (limit: number) => number
  readonly redirects: RedirectOptions
}

/** The document at one address, and its fetches. Times are in milliseconds. */
interface Entry {
  app: App | undefined
  fetchedAt: number
  freshUntil: number
  /** No other attempt before this time, after a failure. */
  failedUntil: number
  reason: string
  fetching: Promise<void> | undefined
}

const textOf = (header: string | readonly string[] | undefined): string => [header ?? ''].flat().join(', ')

/**
 * The documents at client ids: fetched over https from public addresses without redirects, at most 32 KiB in 5 seconds. One is used as
 * long as `Cache-Control` states, and until 24 hours after its fetch while a new fetch fails. A failure is kept for 60 seconds; concurrent
 * requests share a fetch.
 */
export function createDocuments({ fetch, clock, counters, scaled, redirects }: DocumentsDeps) {
  /** The least recently used first. */
  const entries = new Map<string, Entry>()

  function entryOf(clientId: string): Entry {
    const entry: Entry = entries.get(clientId) ?? {
      app: undefined,
      fetchedAt: 0,
      freshUntil: 0,
      failedUntil: 0,
      reason: '',
      fetching: undefined,
    }
    entries.delete(clientId)
    entries.set(clientId, entry)
    const [oldest] = entries.keys()
    if (entries.size > MAX_DOCUMENTS && oldest !== undefined) entries.delete(oldest)
    return entry
  }

  /** @throws `temporarily_unavailable` with status 429, when the asker or this instance fetched too many documents in an hour */
  async function countFetch(asker: string): Promise<void> {
    for (const [key, limit] of [
      [`oauth-document:${asker}`, FETCHES_PER_HOUR],
      ['oauth-documents', FETCHES_OF_INSTANCE_PER_HOUR],
    ] as const) {
      const { count, resetAtMs } = await counters.count(key, HOUR_MS, { limit: scaled(limit), exact: false })
      if (count <= scaled(limit)) continue
      throw oauthError('temporarily_unavailable', 'Too many descriptions of apps were fetched; try again later', {
        status: 429,
        retryAfterMs: Math.max(1_000, resetAtMs - Date.now()),
      })
    }
  }

  async function load(clientId: string, entry: Entry): Promise<void> {
    const failed = (reason: string) => {
      entry.reason = reason
      entry.failedUntil = clock().getTime() + MINUTE_MS
    }
    try {
      const { status, headers, body } = await fetch(clientId, {
        headers: { accept: 'application/json' },
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
      })
      if (status !== 200) return failed(`The address answered with the status ${status}`)
      if (!isJsonType(textOf(headers['content-type']))) return failed('The answer is not JSON')
      const read = readDocument(clientId, body.toString('utf8'), redirects)
      if ('refused' in read) return failed(read.refused)
      const now = clock().getTime()
      Object.assign(entry, {
        app: read,
        fetchedAt: now,
        freshUntil: now + freshMsOf(textOf(headers['cache-control'])),
        failedUntil: 0,
      })
    } catch {
      // Its message may name addresses of a private network.
      failed('The address could not be read')
    }
  }

  return {
    /**
     * Returns the app that a document describes.
     *
     * @param asker - whose fetches are counted: an account or an address
     * @throws `invalid_client` with the reason when it cannot be read; `temporarily_unavailable` above the limits of fetches
     */
    async get(clientId: string, asker: string): Promise<App> {
      const entry = entryOf(clientId)
      const now = clock().getTime()
      if (entry.freshUntil <= now && entry.failedUntil <= now) {
        if (!entry.fetching) {
          const stale = entry.app && now - entry.fetchedAt < DAY_MS ? entry.app : undefined
          try {
            await countFetch(asker)
          } catch (error) {
            if (stale) return stale
            throw error
          }
          entry.fetching ??= load(clientId, entry).finally(() => {
            entry.fetching = undefined
          })
        }
        await entry.fetching
      }
      if (entry.app && clock().getTime() - entry.fetchedAt < DAY_MS) return entry.app
      throw oauthError('invalid_client', `We could not read the description of this app: ${entry.reason}`)
    },
  }
}

/** The documents at client ids. */
export type Documents = ReturnType<typeof createDocuments>
