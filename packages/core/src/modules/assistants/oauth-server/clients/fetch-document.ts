import type { OutboundAnswer, OutboundRequest } from '../../../../runtime/outbound/guarded-fetch.ts'
import type { GuardedFetch } from '../../../../runtime/outbound/index.ts'

/** Fetches a document that an app names. */
export type FetchDocument = (address: string, options: OutboundRequest) => Promise<OutboundAnswer>

/**
 * Creates the function that fetches documents of apps: over https from public addresses, without redirects.
 *
 * @param allowPrivateHosts - a `host` or `host:port` that is requested over plain http; for development only
 */
export function createFetchDocument(fetch: GuardedFetch, allowPrivateHosts: readonly string[]): FetchDocument {
  const hosts = new Set(allowPrivateHosts)
  return (address, options) => {
    const url = new URL(address)
    if (hosts.has(url.host) || hosts.has(url.hostname)) url.protocol = 'http:'
    return fetch(url, options)
  }
}
