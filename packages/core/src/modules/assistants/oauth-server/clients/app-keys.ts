import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../../../kernel/clock.ts'
import { MINUTE_MS } from '../../../../kernel/durations.ts'
import type { App } from './app.ts'
import { isJsonType } from './cimd.ts'
import type { FetchDocument } from './fetch-document.ts'

const MAX_BYTES = 65_536
const TIMEOUT_MS = 5_000
const FRESH_MS = 10 * MINUTE_MS
const MAX_SETS = 200
const MAX_KEYS = 100

interface KeySet {
  readonly keys: JSONWebKeySet
  readonly fetchedAt: number
}

export interface AppKeysDeps {
  readonly fetch: FetchDocument
  readonly clock: Clock
}

function parseKeys(text: string): JSONWebKeySet | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
    if (!Array.isArray(keys) || keys.length > MAX_KEYS) return undefined
    return { keys: keys.filter((key) => typeof key === 'object' && key !== null) }
  } catch {
    return undefined
  }
}

/**
 * The keys of apps that prove themselves by `private_key_jwt`: from their document, or fetched from their `jwks_uri` at most every 10
 * minutes. A key that the set lacks is looked for again once a minute.
 */
export function createAppKeys({ fetch, clock }: AppKeysDeps) {
  const sets = new Map<string, Promise<KeySet | undefined>>()
  const attempts = new Map<string, number>()

  async function load(url: string): Promise<KeySet | undefined> {
    try {
      const { status, headers, body } = await fetch(url, {
        headers: { accept: 'application/json, application/jwk-set+json' },
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
      })
      const type = [headers['content-type'] ?? ''].flat().join(', ')
      const keys = status === 200 && isJsonType(type) ? parseKeys(body.toString('utf8')) : undefined
      return keys && { keys, fetchedAt: clock().getTime() }
    } catch {
      return undefined
    }
  }

  /** Keeps a map of addresses short: the oldest entries go. */
  function keep<Value>(map: Map<string, Value>, url: string, value: Value): Value {
    map.delete(url)
    map.set(url, value)
    const [oldest] = map.keys()
    if (map.size > MAX_SETS && oldest !== undefined) map.delete(oldest)
    return value
  }

  async function setOf(url: string, kid: string | undefined): Promise<JSONWebKeySet> {
    const now = clock().getTime()
    const cached = await sets.get(url)
    const has = cached && (kid === undefined || cached.keys.keys.some((key) => key.kid === kid))
    const isFresh = cached !== undefined && now - cached.fetchedAt < FRESH_MS
    const mayAsk = now - (attempts.get(url) ?? Number.NEGATIVE_INFINITY) >= MINUTE_MS
    if ((isFresh && has) || !mayAsk) return cached?.keys ?? { keys: [] }
    keep(attempts, url, now)
    const loading = load(url).then((loaded) => loaded ?? cached)
    return (await keep(sets, url, loading))?.keys ?? { keys: [] }
  }

  return {
    /** Returns the function that `jwtVerify` of jose gets the key of an app from. It throws when there is none. */
    keysOf: ({ jwks, jwksUri }: Pick<App, 'jwks' | 'jwksUri'>): JWTVerifyGetKey => {
      return async (header, token) => {
        const set = jwksUri === undefined ? { keys: [...(jwks?.keys ?? [])] } : await setOf(jwksUri, header.kid)
        // The members of each key are checked when it is imported.
        return createLocalJWKSet(set as JSONWebKeySet)(header, token)
      }
    },
  }
}

/** The keys of apps. */
export type AppKeys = ReturnType<typeof createAppKeys>
