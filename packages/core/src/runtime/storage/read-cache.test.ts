import { describe, expect, it, vi } from 'vitest'
import { storageUnavailable } from '../../ports/storage/storage.ts'
import { createReadCache } from './read-cache.ts'

const ADA = 1
const GRACE = 2

const FOLLOWED = { isCurrent: () => true, silentMs: () => 0 }

const loading = (profileId: number | undefined, value = 'loaded') => vi.fn(async () => ({ value, profileId }))

it('loads a value once, and again after its profile changed', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const [ada, grace] = [loading(ADA), loading(GRACE)]
  const readBoth = async () => [await cache.get('ada', ada), await cache.get('grace', grace)]
  await readBoth()
  expect(await readBoth()).toEqual(['loaded', 'loaded'])
  cache.drop(ADA)
  await readBoth()
  expect([ada.mock.calls.length, grace.mock.calls.length]).toEqual([2, 1])
})

it('loads a value again that has expired, and keeps it for an unavailable storage meanwhile', async () => {
  const cache = createReadCache(10, FOLLOWED)
  await cache.getOrLastSeen('ada', loading(ADA, 'old'))
  cache.expire(ADA)
  const unavailable = () => Promise.reject(storageUnavailable())
  expect([cache.find('ada'), await cache.getOrLastSeen('ada', unavailable)]).toEqual([undefined, 'old'])
  expect(await cache.get('ada', loading(ADA, 'new'))).toBe('new')
  expect(await cache.get('ada', loading(ADA, 'never'))).toBe('new')
})

it('drops a value that depends on a profile and an account when either changes', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const load = vi.fn(async () => ({ value: 'loaded', profileId: ADA, accountId: 'account' }))
  await cache.get('ada', load)
  cache.drop('account')
  await cache.get('ada', load)
  cache.drop(ADA)
  await cache.get('ada', load)
  cache.drop('another')
  await cache.get('ada', load)
  expect(load).toHaveBeenCalledTimes(3)
})

it('shares one load among concurrent callers', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const load = loading(ADA)
  await Promise.all([cache.get('ada', load), cache.get('ada', load)])
  expect(load).toHaveBeenCalledTimes(1)
})

it('does not cache a load that started before a change and finished after it', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const { promise: old, resolve } = Promise.withResolvers<{ value: string; profileId: number }>()
  const slow = cache.get('ada', () => old)
  cache.drop(ADA)
  resolve({ value: 'old', profileId: ADA })
  expect(await slow).toBe('old')
  expect(await cache.get('ada', loading(ADA, 'new'))).toBe('new')
})

it('caches a load during which another profile changed', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const { promise: slow, resolve } = Promise.withResolvers<{ value: string; profileId: number }>()
  const [first, store] = [cache.get('ada', () => slow), cache.begin()]
  cache.drop(ADA + 1)
  resolve({ value: 'Ada', profileId: ADA })
  store('page', { value: 'a page', profileId: ADA })
  expect(await first).toBe('Ada')
  expect([cache.find('ada'), cache.find('page')]).toEqual(['Ada', 'a page'])
})

it('does not cache a load that started before a change when very many others follow the change', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const store = cache.begin()
  cache.drop(ADA)
  for (let other = 1; other <= 10_000; other += 1) cache.drop(ADA + other)
  store('ada', { value: 'old', profileId: ADA })
  expect(cache.find('ada')).toBeUndefined()
})

it('does not cache a load that started before the cache was cleared', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const store = cache.begin()
  cache.clear()
  store('ada', { value: 'old', profileId: ADA })
  expect(cache.find('ada')).toBeUndefined()
})

it('caches neither values without a profile nor failures', async () => {
  const cache = createReadCache(10, FOLLOWED)
  const missing = loading(undefined)
  const failing = vi.fn(async () => Promise.reject(new Error('no database')))
  for (let call = 0; call < 2; call += 1) {
    await cache.get('missing', missing)
    await expect(cache.get('ada', failing)).rejects.toThrow('no database')
  }
  expect([missing.mock.calls.length, failing.mock.calls.length]).toEqual([2, 2])
})

it('serves no cached value while the log cannot be read', async () => {
  let inSight = true
  const cache = createReadCache(10, { isCurrent: () => inSight, silentMs: () => (inSight ? 0 : 3_000) })
  const load = loading(ADA)
  await cache.get('ada', load)
  inSight = false
  await cache.get('ada', load)
  expect(load).toHaveBeenCalledTimes(2)
})

it('caches nothing that was loaded before the log is followed', async () => {
  let silentMs = Number.POSITIVE_INFINITY
  const cache = createReadCache(10, { isCurrent: () => silentMs < 2_000, silentMs: () => silentMs })
  const { promise: old, resolve } = Promise.withResolvers<{ value: string; profileId: number }>()
  await cache.get('grace', loading(GRACE, 'old'))
  const slow = cache.get('ada', () => old)
  silentMs = 0
  resolve({ value: 'old', profileId: ADA })
  await slow
  expect(await cache.get('grace', loading(GRACE, 'new'))).toBe('new')
  expect(await cache.get('ada', loading(ADA, 'new'))).toBe('new')
})

it('caches no response that was started before the log is followed', () => {
  let silentMs = Number.POSITIVE_INFINITY
  const cache = createReadCache(10, { isCurrent: () => silentMs < 2_000, silentMs: () => silentMs })
  const keepOld = cache.begin()
  silentMs = 0
  keepOld('ada', { value: 'old', profileId: ADA })
  expect(cache.find('ada')).toBeUndefined()
  cache.begin()('ada', { value: 'new', profileId: ADA })
  expect(cache.find('ada')).toBe('new')
})

it('evicts the oldest entry when there are too many', async () => {
  const cache = createReadCache(2, FOLLOWED)
  const load = loading(ADA)
  for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.get(key, load)
  expect(load).toHaveBeenCalledTimes(4)
})

describe('while the storage is unavailable', () => {
  const setUp = async () => {
    let silentMs = 0
    const cache = createReadCache(10, { isCurrent: () => silentMs < 2_000, silentMs: () => silentMs })
    await cache.get('ada', loading(ADA))
    return { cache, silence: (ms: number) => (silentMs = ms) }
  }
  const failing = () => Promise.reject(storageUnavailable())

  it('returns the last cached value on request only, up to a minute after the log was last read', async () => {
    const { cache, silence } = await setUp()
    silence(59_999)
    await expect(cache.getOrLastSeen('ada', failing)).resolves.toBe('loaded')
    await expect(cache.get('ada', failing)).rejects.toThrow(storageUnavailable.message)
    silence(60_000)
    await expect(cache.getOrLastSeen('ada', failing)).rejects.toThrow(storageUnavailable.message)
    expect(cache.lastSeen('ada')).toBeUndefined()
  })

  it('returns nothing that was dropped or never cached, and nothing for other errors', async () => {
    const { cache, silence } = await setUp()
    silence(3_000)
    await expect(cache.getOrLastSeen('grace', failing)).rejects.toThrow(storageUnavailable.message)
    await expect(cache.getOrLastSeen('ada', () => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault')
    cache.drop(ADA)
    await expect(cache.getOrLastSeen('ada', failing)).rejects.toThrow(storageUnavailable.message)
  })

  it('returns the latest loaded value instead of the one cached before the log was lost', async () => {
    const { cache, silence } = await setUp()
    silence(3_000)
    expect(await cache.getOrLastSeen('ada', loading(ADA, 'newer'))).toBe('newer')
    await expect(cache.getOrLastSeen('ada', failing)).resolves.toBe('newer')
  })
})
