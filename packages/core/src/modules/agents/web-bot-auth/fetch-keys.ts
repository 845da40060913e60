import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import type { KeySource } from './key-source.ts'
import { readSignerKeys, type SignerKey } from './signer-keys.ts'

/** The keys of a signer as they were fetched, or a failure. */
export type FetchedKeys =
  | {
      readonly is: 'fetched'
      readonly keys: ReadonlyMap<string, SignerKey>
      /** How long they may be used. */
      readonly freshMs: number
    }
  | { readonly is: 'failed'; readonly timedOut: boolean }

/** Fetches the keys of a signer. Never throws. */
export type FetchKeys = (source: KeySource) => Promise<FetchedKeys>

export interface FetchKeysDeps {
  readonly fetch: GuardedFetch
  readonly timeoutMs: number
  /** A `host` or `host:port` that is requested over plain http. For development only. */
  readonly allowPrivateHosts: readonly string[]
  readonly acceptsPublishedKeys: boolean
}

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'
const MAX_BYTES = 65_536
const DEFAULT_FRESH_SECONDS = 3_600
const MIN_FRESH_SECONDS = 60
const MAX_FRESH_SECONDS = 86_400
const TYPES: ReadonlySet<string> = new Set([DIRECTORY_TYPE, 'application/json', 'application/jwk-set+json'])

type Header = string | readonly string[] | undefined
const textOf = (header: Header): string => [header ?? ''].flat().join(', ').toLowerCase()

function freshMsOf(cacheControl: Header): number {
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/.exec(textOf(cacheControl))?.[1]
  const asked = seconds === undefined ? DEFAULT_FRESH_SECONDS : Number(seconds)
  const isUncacheable = /\bno-(?:store|cache)\b/.test(textOf(cacheControl))
  const wanted = isUncacheable ? MIN_FRESH_SECONDS : asked
  return Math.min(Math.max(wanted, MIN_FRESH_SECONDS), MAX_FRESH_SECONDS) * 1_000
}

/**
 * Creates the function that fetches keys: over https from public addresses, without redirects, at most 64 KiB, in a limited time. A
 * response that is not a key set of the registered type, or JSON, is a failure.
 */
export function createFetchKeys({
  fetch,
  timeoutMs,
  allowPrivateHosts,
  acceptsPublishedKeys,
}: FetchKeysDeps): FetchKeys {
  const hosts = new Set(allowPrivateHosts)
  return async ({ url: address, names }) => {
    const url = new URL(address)
    if (hosts.has(url.host) || hosts.has(url.hostname)) url.protocol = 'http:'
    const start = performance.now()
    try {
      const { status, headers, body } = await fetch(url, {
        headers: { accept: `${DIRECTORY_TYPE}, application/json;q=0.9` },
        maxBytes: MAX_BYTES,
        timeoutMs,
      })
      const type = textOf(headers['content-type']).split(';', 1)[0]?.trim() ?? ''
      const keys =
        status === 200 && TYPES.has(type)
          ? readSignerKeys(body.toString('utf8'), names, acceptsPublishedKeys)
          : undefined
      if (!keys) return { is: 'failed', timedOut: false }
      return { is: 'fetched', keys, freshMs: freshMsOf(headers['cache-control']) }
    } catch {
      return { is: 'failed', timedOut: performance.now() - start >= timeoutMs }
    }
  }
}
