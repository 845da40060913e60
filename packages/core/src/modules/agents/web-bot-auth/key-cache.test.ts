import { expect, it } from 'vitest'
import { createKeyCache } from './key-cache.ts'

const HOUR_MS = 3_600_000

it('never evicts a signer that was verified within the hour for URLs that unverified requests name', () => {
  const cache = createKeyCache(10)
  cache.add('https://known.example', 0)
  cache.verify('https://known.example', 0)
  for (let index = 0; index < 100; index += 1) cache.add(`https://${index}.example`, HOUR_MS - 1)
  expect(cache.get('https://known.example')).toBeDefined()
  expect(cache.size).toBe(10)
})

it('evicts the least recently used of the others, and signers that were not verified for an hour', () => {
  const cache = createKeyCache(3)
  for (const name of ['a', 'b', 'c']) cache.add(name, 0)
  cache.get('a')
  cache.add('d', 0)
  expect(['a', 'b', 'c', 'd'].filter((name) => cache.get(name))).toEqual(['a', 'c', 'd'])
  cache.verify('a', 0)
  cache.add('e', HOUR_MS + 1)
  expect(['a', 'c', 'd', 'e'].filter((name) => cache.get(name))).toEqual(['c', 'd', 'e'])
})

it('leaves room for new URLs when all others were verified', () => {
  const cache = createKeyCache(10)
  for (let index = 0; index < 20; index += 1) {
    cache.add(`https://${index}.example`, 0)
    cache.verify(`https://${index}.example`, 0)
  }
  cache.add('https://new.example', 0)
  expect(cache.get('https://new.example')).toBeDefined()
  expect(cache.size).toBeLessThanOrEqual(10)
})
