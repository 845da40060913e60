import { expect, it } from 'vitest'
import type { Visit, VisitingRequest } from '../../../model/visit.ts'
import { createCollector } from './collector.ts'
import { createKeyLimit } from './key-limit.ts'

const view = (profileId: number, path = '/'): Visit => ({ kind: 'view', profileId, path, format: 'json' })
const from = (ip: string, headers: VisitingRequest['headers'] = {}): VisitingRequest => ({
  ip,
  headers,
  channel: 'http',
})

function collect() {
  const collector = createCollector({
    clock: () => new Date('2026-01-02T03:04:05Z'),
    ownHosts: new Set(['profiles.example']),
    agentOf: () => undefined,
  })
  const hash = (profileId: number, address: string, userAgent: string) => `${profileId} ${address} ${userAgent}`
  return { ...collector, sealAll: () => collector.seal(hash) }
}

it('counts under another key what exceeds the number of keys', () => {
  const { add, sealAll, take } = collect()
  for (let index = 0; index < 1_000; index += 1) add(view(1, `/${index}`), from('192.0.2.1'), undefined)
  sealAll()
  const pages = take()?.counts.filter(({ metric }) => metric === 'pages') ?? []
  expect(pages).toHaveLength(201)
  expect(pages.find(({ key }) => key === '(other)')?.count).toBe(800)
  expect(pages.reduce((sum, { count }) => sum + count, 0)).toBe(1_000)
})

it('limits the keys of an hour, however often they are stored', () => {
  const { add, sealAll, take } = collect()
  const seen = new Set<string>()
  let sum = 0
  for (let round = 0; round < 20; round += 1) {
    for (let index = 0; index < 100; index += 1) add(view(1, `/${round}-${index}`), from('192.0.2.1'), undefined)
    sealAll()
    for (const { metric, key, count } of take()?.counts ?? []) {
      if (metric !== 'pages') continue
      seen.add(key)
      sum += count
    }
  }
  expect(seen.size).toBe(501)
  expect(sum).toBe(2_000)
})

it('keeps fixed keys and the first keys of a profile when others have used all keys of the hour', () => {
  const { keep } = createKeyLimit(() => new Date('2026-01-02T03:04:05Z'))
  for (let profileId = 1; profileId <= 250; profileId += 1) {
    for (let index = 0; index < 500; index += 1) keep(profileId, 'referrers', `${index}.example`)
  }
  const kept = (metric: string) => Array.from({ length: 20 }, (_, index) => keep(1_000, metric, `key ${index}`))
  const all = Array.from({ length: 20 }, (_, index) => `key ${index}`)
  expect(kept('pages')).toEqual(all.map((key, index) => (index < 10 ? key : '(other)')))
  for (const metric of ['views', 'clients', 'formats', 'countries']) expect(kept(metric)).toEqual(all)
})

it('limits visitors and details of profiles in memory, and counts every view', () => {
  const { add, sealAll, take } = collect()
  for (let index = 0; index < 12_000; index += 1) add(view(1), from(`address-${index}`), undefined)
  for (let index = 2; index < 7_000; index += 1) add(view(index), from('192.0.2.1'), undefined)
  sealAll()
  const batches = []
  for (let batch = take(); batch; batch = take()) batches.push(batch)
  const counts = batches.flatMap((batch) => batch.counts)
  expect(batches.flatMap(({ visitors }) => visitors)).toHaveLength(10_000)
  expect(counts.find(({ profileId, metric }) => profileId === 1 && metric === 'views')?.count).toBe(12_000)
  const profilesWith = (wanted: string) => counts.filter(({ metric }) => metric === wanted).length
  expect({ pages: profilesWith('pages'), views: profilesWith('views') }).toEqual({ pages: 5_000, views: 6_999 })
  expect(Math.max(...batches.map((batch) => batch.counts.length))).toBeLessThanOrEqual(5_000)
})

it('counts views without visitors while the salt cannot be read', () => {
  const { add, seal, sealAll, take, hasVisitors } = collect()
  add(view(1), from('192.0.2.1'), undefined)
  expect(hasVisitors()).toBe(true)
  seal(undefined)
  expect(hasVisitors()).toBe(false)
  sealAll()
  expect(take()).toMatchObject({ counts: expect.arrayContaining([expect.anything()]), visitors: [] })
  expect(take()).toBeUndefined()
})

it('stores hosts of referrers, and neither paths nor the host of the service', () => {
  const { add, sealAll, take } = collect()
  for (const referer of [
    'https://www.news.example/a?b=c#d',
    'http://news.example:80/',
    'https://profiles.example/u/ada',
    'javascript:alert(1)',
    'about:blank',
    'https://[',
  ]) {
    add(view(1), from('192.0.2.1', { referer }), undefined)
  }
  sealAll()
  const referrers = take()?.counts.filter(({ metric }) => metric === 'referrers')
  expect(referrers).toMatchObject([{ key: 'news.example', count: 2 }])
})
