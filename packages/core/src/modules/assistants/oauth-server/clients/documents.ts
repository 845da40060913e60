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
/** Those of an instance. Devices ask before a person signs in, and leave the other ones to people who connect apps. */
const FETCHES_OF_ACCOUNTS_PER_HOUR = 400
const FETCHES_OF_STRANGERS_PER_HOUR = 200

export interface DocumentsDeps {
  readonly fetch: FetchDocument
  readonly clock: Clock
  readonly counters: Pick<LocalRateLimits, 'count'>
  readonly scaled: (limit: number) => number
  readonly redirects: RedirectOptions
}

/** Whose fetches are counted: those of an account, or those of a network address without one. */
export type Asker = { readonly account: string } | { readonly address: string }

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

  /** Adds an address that is fetched. One that has no app goes first to make room, then the least recently used. */
  function add(clientId: string): Entry {
    const entry: Entry = {
      app: undefined,
      fetchedAt: 0,
      freshUntil: 0,
      failedUntil: 0,
      reason: '',
      fetching: undefined,
    }
    if (entries.size >= MAX_DOCUMENTS) {
      const [oldest] = entries.keys()
      const useless = [...entries].find(([, { app, fetching }]) => !app && !fetching)?.[0]
      const leaves = useless ?? oldest
      if (leaves !== undefined) entries.delete(leaves)
    }
    entries.set(clientId, entry)
    return entry
  }

  function find(clientId: string): Entry | undefined {
    const entry = entries.get(clientId)
    if (!entry) return undefined
    entries.delete(clientId)
    entries.set(clientId, entry)
    return entry
  }

  /** @throws `temporarily_unavailable` with status 429, when the asker or this instance fetched too many documents in an hour */
  async function countFetch(asker: Asker): Promise<void> {
    const [own, all, limitOfAll] =
      'account' in asker
        ? [`account:${asker.account}`, 'accounts', FETCHES_OF_ACCOUNTS_PER_HOUR]
        : [`address:${asker.address}`, 'strangers', FETCHES_OF_STRANGERS_PER_HOUR]
    for (const [key, limit] of [
      [`oauth-document:${own}`, FETCHES_PER_HOUR],
      [`oauth-documents:${all}`, limitOfAll],
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
     * @param asker - whose fetches are counted
     * @throws `invalid_client` with the reason when it cannot be read; `temporarily_unavailable` above the limits of fetches
     */
    async get(clientId: string, asker: Asker): Promise<App> {
      let entry = find(clientId)
      const now = clock().getTime()
      if (!entry || (entry.freshUntil <= now && entry.failedUntil <= now)) {
        if (!entry?.fetching) {
          const stale = entry?.app && now - entry.fetchedAt < DAY_MS ? entry.app : undefined
          try {
            await countFetch(asker)
          } catch (error) {
            if (stale) return stale
            throw error
          }
          // Meanwhile another request may have added it, or another address may have taken its place.
          const fetched = find(clientId) ?? add(clientId)
          fetched.fetching ??= load(clientId, fetched).finally(() => {
            fetched.fetching = undefined
          })
          entry = fetched
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
