import { expect, it, vi } from 'vitest'
import { createReadCache } from './read-cache.ts'

const ADA = 1
const GRACE = 2

const loading = (profileId: number | undefined, value = 'loaded') => vi.fn(async () => ({ value, profileId }))

it('loads once, and again when its profile changed', async () => {
  const cache = createReadCache(10, () => true)
  const [ada, grace] = [loading(ADA), loading(GRACE)]
  const readBoth = async () => [await cache.get('ada', ada), await cache.get('grace', grace)]
  await readBoth()
  expect(await readBoth()).toEqual(['loaded', 'loaded'])
  cache.drop(ADA)
  await readBoth()
  expect([ada.mock.calls.length, grace.mock.calls.length]).toEqual([2, 1])
})

it('shares one load among callers that come while it runs', async () => {
  const cache = createReadCache(10, () => true)
  const load = loading(ADA)
  await Promise.all([cache.get('ada', load), cache.get('ada', load)])
  expect(load).toHaveBeenCalledTimes(1)
})

it('does not keep what was read before a change and came after it', async () => {
  const cache = createReadCache(10, () => true)
  const { promise: old, resolve } = Promise.withResolvers<{ value: string; profileId: number }>()
  const slow = cache.get('ada', () => old)
  cache.drop(ADA)
  resolve({ value: 'old', profileId: ADA })
  expect(await slow).toBe('old')
  expect(await cache.get('ada', loading(ADA, 'new'))).toBe('new')
})

it('keeps nothing that has no profile, and nothing that failed', async () => {
  const cache = createReadCache(10, () => true)
  const nobody = loading(undefined)
  const failing = vi.fn(async () => Promise.reject(new Error('no database')))
  for (let call = 0; call < 2; call += 1) {
    await cache.get('nobody', nobody)
    await expect(cache.get('ada', failing)).rejects.toThrow('no database')
  }
  expect([nobody.mock.calls.length, failing.mock.calls.length]).toEqual([2, 2])
})

it('serves nothing it kept while the log is out of sight', async () => {
  let inSight = true
  const cache = createReadCache(10, () => inSight)
  const load = loading(ADA)
  await cache.get('ada', load)
  inSight = false
  await cache.get('ada', load)
  expect(load).toHaveBeenCalledTimes(2)
})

it('lets the oldest go when there are too many', async () => {
  const cache = createReadCache(2, () => true)
  const load = loading(ADA)
  for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.get(key, load)
  expect(load).toHaveBeenCalledTimes(4)
})
