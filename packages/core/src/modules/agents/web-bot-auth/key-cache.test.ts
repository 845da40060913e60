import { describe, expect, it } from 'vitest'
import { createKeyCache } from './key-cache.ts'

const HOUR_MS = 3_600_000
const at = (name: string | number) => `https://${name}.example/keys`

/** A cache without other limits than its size. */
const cacheOf = (maxEntries: number) => createKeyCache({ maxEntries, maxOfHost: maxEntries, maxOfSite: maxEntries })

/** A cache in which signers were verified, in order. */
function cacheWith(urls: readonly string[], cache = cacheOf(10), now = 0) {
  for (const url of urls) {
    cache.add(url, now)
    cache.verify(url, now)
  }
  return cache
}

describe('a cache of keys', () => {
  it('never evicts a signer that was verified within the hour for URLs that unverified requests name', () => {
    const cache = cacheWith([at('known')])
    for (let index = 0; index < 100; index += 1) cache.add(at(index), HOUR_MS - 1)
    expect(cache.get(at('known'))).toBeDefined()
    expect(cache.size).toBe(10)
  })

  it('never evicts a signer that was verified within the hour for others that are verified later', () => {
    const cache = cacheWith([at('known')])
    const others = Array.from({ length: 50 }, (_, index) => at(index))
    cacheWith(others, cache, HOUR_MS - 1)
    expect(cache.get(at('known'))).toBeDefined()
    // In the order of verification, whatever is read.
    cache.verify(at('known'), HOUR_MS)
    cacheWith([at('new')], cache, 2 * HOUR_MS)
    for (const url of others) cache.add(`${url}/more`, 2 * HOUR_MS)
    expect([cache.get(at('known')), cache.get(at('new'))]).not.toContain(undefined)
    expect(cache.get(at(0))).toBeUndefined()
  })

  it('evicts the least recently used of the others, and signers that were not verified for an hour', () => {
    const cache = cacheOf(3)
    for (const name of ['a', 'b', 'c']) cache.add(at(name), 0)
    cache.get(at('a'))
    cache.add(at('d'), 0)
    expect(['a', 'b', 'c', 'd'].filter((name) => cache.get(at(name)))).toEqual(['a', 'c', 'd'])
    cache.verify(at('a'), 0)
    cache.add(at('e'), HOUR_MS + 1)
    expect(['a', 'c', 'd', 'e'].filter((name) => cache.get(at(name)))).toEqual(['c', 'd', 'e'])
  })

  it('leaves room for new URLs when all others were verified', () => {
    const cache = cacheWith(Array.from({ length: 20 }, (_, index) => at(index)))
    cache.add(at('new'), 0)
    expect(cache.get(at('new'))).toBeDefined()
    expect(cache.size).toBeLessThanOrEqual(10)
  })

  it.each<[string, number, (index: number) => string]>([
    ['host, whatever the query', 2, (index) => `https://evil.example/keys?n=${index}`],
    ['site, whatever the host', 3, (index) => `https://${index}.evil.example/keys`],
  ])('keeps a few URLs of one %s in each segment, and none of others gives way to them', (_case, kept, urlOf) => {
    const cache = createKeyCache({ maxEntries: 100, maxOfHost: 2, maxOfSite: 3 })
    cache.add(at('named'), 0)
    cacheWith([at('known')], cache)
    const urls = Array.from({ length: 200 }, (_, index) => urlOf(index))
    cacheWith(urls, cache)
    expect(urls.filter((url) => cache.get(url))).toHaveLength(2 * kept)
    expect([cache.get(at('known')), cache.get(at('named'))]).not.toContain(undefined)
    const later = urlOf(500)
    cacheWith([later], cache, HOUR_MS + 1)
    expect(urls.filter((url) => cache.get(url))).toHaveLength(2 * kept - 2)
  })
})
