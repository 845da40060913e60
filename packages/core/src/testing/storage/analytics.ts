import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type {
  AnalyticsBatch,
  AnalyticsCount,
  AnalyticsPurge,
  AnalyticsUnit,
  AnalyticsVisitor,
} from '../../ports/storage/analytics.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newProfile, newPurchase, newSettlement } from '../records.ts'
import { casesFor, ODD_TEXT } from './bench.ts'

type Tx = Stores<'analytics'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOTHING: AnalyticsPurge = { minutesBefore: new Date(0), saltsBefore: '1970-01-01', daysBefore: new Date(0) }
const RULES = { dropped: [], maxKeys: 100, rest: 'rest' }

export const analyticsCases = casesFor(['analytics'], (it, bench) => {
  // Cases roll up everything before a time, so each has separate days.
  let days = 0
  const nextDay = () => new Date(Date.UTC(2001, 0, 1) + 10 * DAY_MS * days++)
  const after = (time: Date, ms: number) => new Date(time.getTime() + ms)

  const count = ({ id }: Profile, minute: Date, changes: Partial<AnalyticsCount> = {}): AnalyticsCount => ({
    profileId: id,
    minute,
    metric: 'pages',
    key: '/',
    count: 1,
    ...changes,
  })
  const visitor = ({ id }: Profile, minute: Date, name = 'one'): AnalyticsVisitor => ({
    profileId: id,
    minute,
    visitor: name,
  })
  const newBatch = (changes: Partial<AnalyticsBatch>): AnalyticsBatch => ({
    id: randomUUID(),
    at: new Date(),
    counts: [],
    visitors: [],
    ...changes,
  })
  const adding = (batch: AnalyticsBatch) => (tx: Tx) => tx.analytics.addBatch(batch)
  const add = (changes: Partial<AnalyticsBatch>) => bench.write(adding(newBatch(changes)))
  const seriesOf = async ({ id }: Profile, from: Date, unit: AnalyticsUnit = 'day', metrics = ['pages']) => {
    const to = after(from, 9 * DAY_MS)
    const rows = await bench.read.analytics.series({ profileId: id, from, to, unit, metrics })
    return rows.map(({ at, metric, key, count: sum }) => `${at.toISOString()} ${metric} ${key} ${sum}`).toSorted()
  }
  const visitorsOf = async ({ id }: Profile, from: Date, unit: AnalyticsUnit) => {
    const rows = await bench.read.analytics.visitors({ profileId: id, from, to: after(from, 9 * DAY_MS), unit })
    return rows.map(({ at, count: sum }) => `${at.toISOString()} ${sum}`).toSorted()
  }
  async function until0(step: (tx: Tx) => Promise<number>): Promise<void> {
    while ((await bench.write(step)) > 0);
  }
  const purge = (what: Partial<AnalyticsPurge>) => until0((tx) => tx.analytics.purge({ ...NOTHING, ...what }, 100))

  it('adds up what batches counted, by unit of time and key', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const day = nextDay()
    const again = after(day, HOUR_MS)
    await add({ counts: [count(profile, day), count(profile, day, { key: ODD_TEXT, count: 2 }), count(other, day)] })
    await add({
      counts: [count(profile, day), count(profile, again), count(profile, day, { metric: 'views', key: '' })],
    })
    const start = day.toISOString()
    assert.deepEqual(await seriesOf(profile, day), [`${start} pages / 3`, `${start} pages ${ODD_TEXT} 2`].toSorted())
    const byHour = [`${start} pages / 2`, `${start} pages ${ODD_TEXT} 2`, `${again.toISOString()} pages / 1`]
    assert.deepEqual(await seriesOf(profile, day, 'hour'), byHour.toSorted())
    assert.deepEqual(await seriesOf(profile, day, 'minute'), byHour.toSorted())
    assert.deepEqual(await seriesOf(profile, again), [`${start} pages / 1`], 'a period begins with its start')
    const top = { profileId: profile.id, from: day, to: after(day, DAY_MS), metric: 'pages' }
    assert.deepEqual(await bench.read.analytics.top({ ...top, limit: 9 }), [
      { key: '/', count: 3 },
      { key: ODD_TEXT, count: 2 },
    ])
    assert.deepEqual(await bench.read.analytics.top({ ...top, limit: 1 }), [{ key: '/', count: 3 }])
    assert.deepEqual(await bench.read.analytics.top({ ...top, to: day, limit: 9 }), [])
  })

  it('adds a batch once, also when it is stored concurrently', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const batch = newBatch({ counts: [count(profile, day)], visitors: [visitor(profile, day)] })
    const { first, others } = await bench.overlap(adding(batch), [adding(batch), adding(batch)])
    assert.deepEqual([first, ...others], [true, false, false])
    assert.equal(await bench.write(adding(batch)), false)
    assert.deepEqual(await seriesOf(profile, day), [`${day.toISOString()} pages / 1`])
  })

  it('adds the batch of one of two concurrent calls when the other fails', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const batch = newBatch({ counts: [count(profile, day)] })
    const { others } = await bench.overlap(adding(batch), [adding(batch)], 'rollback')
    assert.deepEqual(others, [true])
    assert.deepEqual(await seriesOf(profile, day), [`${day.toISOString()} pages / 1`])
  })

  it('adds concurrent batches of the same figures', async () => {
    const [one, two] = [await bench.profile(), await bench.profile()]
    const day = nextDay()
    const counts = [count(two, day), count(one, day)]
    const { others } = await bench.overlap(adding(newBatch({ counts })), [
      adding(newBatch({ counts: counts.toReversed() })),
      adding(newBatch({ counts })),
    ])
    assert.deepEqual(others, [true, true])
    for (const profile of [one, two]) {
      assert.deepEqual(await seriesOf(profile, day), [`${day.toISOString()} pages / 3`])
    }
  })

  it('leaves out profiles that do not exist, and deletes figures with their profile', async () => {
    const [profile, gone] = [await bench.profile(), await bench.profile()]
    await bench.write((tx) => tx.profiles.delete(gone.id))
    const day = nextDay()
    const figures = { counts: [count(gone, day), count(profile, day)], visitors: [visitor(gone, day)] }
    assert.equal(await add(figures), true)
    assert.deepEqual(await seriesOf(gone, day), [])
    assert.deepEqual(await seriesOf(profile, day), [`${day.toISOString()} pages / 1`])
    await add({ visitors: [visitor(profile, day)] })
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.deepEqual([await seriesOf(profile, day), await visitorsOf(profile, day, 'day')], [[], []])
  })

  it('rolls minutes up once, including those that are counted later', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const minute = after(day, HOUR_MS + 60_000)
    const figures = { counts: [count(profile, minute), count(profile, after(minute, 60_000), { count: 2 })] }
    const hour = after(day, HOUR_MS).toISOString()
    const roll = (before: Date) => (tx: Tx) => tx.analytics.rollUpMinutes(before, 1)
    await add(figures)
    await until0(roll(minute))
    await add(figures)
    await until0(roll(after(day, 2 * HOUR_MS)))
    assert.deepEqual(await seriesOf(profile, day, 'hour'), [`${hour} pages / 6`])
    await add(figures)
    assert.deepEqual(await seriesOf(profile, day, 'hour'), [`${hour} pages / 9`], 'before it is rolled up')
    await Promise.all([until0(roll(after(day, DAY_MS))), until0(roll(after(day, DAY_MS)))])
    assert.deepEqual(await seriesOf(profile, day, 'hour'), [`${hour} pages / 9`])
    await purge({ minutesBefore: after(day, DAY_MS) })
    assert.deepEqual(await seriesOf(profile, day, 'minute'), [])
    assert.deepEqual(await seriesOf(profile, day, 'hour'), [`${hour} pages / 9`])
  })

  it('keeps minutes that are not rolled up', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    await add({ counts: [count(profile, day)] })
    await purge({ minutesBefore: after(day, DAY_MS) })
    assert.deepEqual(await seriesOf(profile, day, 'minute'), [`${day.toISOString()} pages / 1`])
  })

  it('purges at most the given number of minutes and days in a call', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const next = after(day, DAY_MS)
    await purge({ minutesBefore: day, daysBefore: day })
    await add({ at: after(day, -1), counts: ['a', 'b', 'c'].map((key) => count(profile, day, { key })) })
    await until0((tx) => tx.analytics.rollUpMinutes(next, 100))
    await purge({ minutesBefore: day })
    const minutes = { ...NOTHING, minutesBefore: next }
    const purged = async (what: AnalyticsPurge) => bench.write((tx) => tx.analytics.purge(what, 2))
    assert.deepEqual([await purged(minutes), await purged(minutes), await purged(minutes)], [2, 1, 0])
    await until0((tx) => tx.analytics.rollUpHours(next, 100, RULES))
    await purge({ daysBefore: day })
    assert.equal((await seriesOf(profile, day)).length, 3)
    const days = { ...NOTHING, daysBefore: next }
    assert.deepEqual([await purged(days), await purged(days), await purged(days)], [2, 1, 0])
    assert.deepEqual(await seriesOf(profile, day), [])
  })

  it('deletes at most the given number of dropped figures of hours in a call', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const next = after(day, DAY_MS)
    await until0((tx) => tx.analytics.rollUpHours(day, 100, RULES))
    const counts = ['a', 'b', 'c'].map((key) => count(profile, day, { metric: 'dropped', key }))
    await add({ counts: [...counts, count(profile, day)] })
    await until0((tx) => tx.analytics.rollUpMinutes(next, 100))
    const roll = () => bench.write((tx) => tx.analytics.rollUpHours(next, 2, { ...RULES, dropped: ['dropped'] }))
    await roll()
    assert.equal((await seriesOf(profile, day, 'hour', ['dropped'])).length, 1)
    await until0((tx) => tx.analytics.rollUpHours(next, 2, { ...RULES, dropped: ['dropped'] }))
    assert.deepEqual(await seriesOf(profile, day, 'day', ['dropped', 'pages']), [`${day.toISOString()} pages / 1`])
  })

  it('replaces hours by days', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const next = after(day, DAY_MS)
    const minutes = [day, after(day, HOUR_MS), next]
    await add({ counts: minutes.map((minute) => count(profile, minute)) })
    await until0((tx) => tx.analytics.rollUpMinutes(after(day, 2 * DAY_MS), 100))
    await until0((tx) => tx.analytics.rollUpHours(next, 1, RULES))
    const expected = [`${day.toISOString()} pages / 2`, `${next.toISOString()} pages / 1`]
    assert.deepEqual(await seriesOf(profile, day), expected)
    assert.deepEqual(await seriesOf(profile, day, 'hour'), expected, 'the hours of the first day are gone')
    await until0((tx) => tx.analytics.rollUpHours(after(day, 2 * DAY_MS), 100, { ...RULES, dropped: ['pages'] }))
    assert.deepEqual(await seriesOf(profile, day), expected.slice(0, 1), 'a dropped metric has no day')
  })

  it('keeps the highest keys of a day and adds the others up, whatever hours they have', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const day = nextDay()
    const last = after(day, 23 * HOUR_MS)
    const counts = [
      count(profile, day, { key: 'a', count: 3 }),
      count(profile, last, { key: 'b', count: 2 }),
      count(profile, day, { key: 'c' }),
      count(profile, last, { key: 'c', count: 3 }),
      count(profile, day, { key: 'd' }),
      count(profile, day, { metric: 'views', key: '' }),
      count(other, day, { key: 'd' }),
    ]
    await add({ counts })
    await until0((tx) => tx.analytics.rollUpMinutes(after(day, DAY_MS), 100))
    const roll = () => until0((tx) => tx.analytics.rollUpHours(after(day, DAY_MS), 1, { ...RULES, maxKeys: 2 }))
    await Promise.all([roll(), roll()])
    const start = day.toISOString()
    assert.deepEqual(await seriesOf(profile, day, 'day', ['pages', 'views']), [
      ...[`${start} pages a 3`, `${start} pages c 4`, `${start} pages rest 3`, `${start} views  1`],
    ])
    assert.deepEqual(await seriesOf(other, day), [`${start} pages d 1`])
  })

  it('counts a visitor once an hour and once a day, before and after the day is rolled up', async () => {
    const profile = await bench.profile()
    const day = nextDay()
    const later = after(day, HOUR_MS)
    await add({ visitors: [visitor(profile, day), visitor(profile, day, 'two')] })
    await add({
      visitors: [visitor(profile, day), visitor(profile, later), visitor(profile, after(later, 60_000), 'six')],
    })
    const check = async () => {
      assert.deepEqual(await visitorsOf(profile, day, 'hour'), [`${day.toISOString()} 2`, `${later.toISOString()} 2`])
      assert.deepEqual(await visitorsOf(profile, day, 'day'), [`${day.toISOString()} 3`])
    }
    await check()
    const since = (ms: number) => bench.read.analytics.countVisitors({ profileId: profile.id, since: after(day, ms) })
    assert.deepEqual([await since(0), await since(HOUR_MS), await since(HOUR_MS + 60_000)], [3, 2, 1])
    const roll = () => until0((tx) => tx.analytics.rollUpVisitors(after(day, DAY_MS), 1))
    await Promise.all([roll(), roll()])
    await check()
    assert.equal(await since(0), 0, 'the hashes are deleted')
  })

  it('does not count visitors of a day that is rolled up again, when a batch is late', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const day = nextDay()
    const later = after(day, HOUR_MS)
    await add({ visitors: [visitor(profile, day), visitor(profile, day, 'two')] })
    const roll = () => until0((tx) => tx.analytics.rollUpVisitors(after(day, DAY_MS), 1))
    await roll()
    await add({ visitors: [visitor(profile, day), visitor(profile, later), visitor(other, day)] })
    for (const isRolledUp of [false, true]) {
      if (isRolledUp) await roll()
      assert.deepEqual(await visitorsOf(profile, day, 'day'), [`${day.toISOString()} 2`])
      assert.deepEqual(await visitorsOf(profile, day, 'hour'), [`${day.toISOString()} 2`, `${later.toISOString()} 1`])
      assert.deepEqual(await visitorsOf(other, day, 'day'), [`${day.toISOString()} 1`])
    }
  })

  it('keeps one salt a day, until it is purged', async () => {
    const day = nextDay().toISOString().slice(0, 10)
    const keep = (salt: string) => (tx: Tx) => tx.analytics.keepSalt(day, salt)
    const { first, others } = await bench.overlap(keep('one'), [keep('two'), keep('three')])
    assert.deepEqual([first, ...others], ['one', 'one', 'one'])
    await purge({ saltsBefore: day })
    assert.equal(await bench.write(keep('four')), 'one')
    await purge({ saltsBefore: `${day}x` })
    assert.equal(await bench.write(keep('five')), 'five')
  })

  it('counts payments of programs by the operator that signed, of one profile and period, without those that took nothing', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const day = nextDay()
    const paid = async (bot: string | null, changes: { readonly profileId?: number; readonly at?: Date } = {}) => {
      const { profileId = profile.id, at = day } = changes
      const purchase = newPurchase({ profileId })
      const { id } = await bench.claim({ purchase, payerBot: bot, createdAt: at, openKey: null })
      const result = { receiptId: freshName('rcpt'), settlement: newSettlement() }
      await bench.write((tx) => tx.payments.settle(id, result))
    }
    await paid('https://a.example')
    await paid('https://b.example')
    await paid('https://b.example')
    await paid(null)
    await paid('https://a.example', { profileId: other.id })
    await paid('https://a.example', { at: after(day, DAY_MS) })
    await bench.claim({
      purchase: newPurchase({ profileId: profile.id }),
      payerBot: 'https://c.example',
      createdAt: day,
      openKey: null,
    })
    const period = { profileId: profile.id, from: day, to: after(day, DAY_MS) }
    assert.deepEqual(await bench.read.analytics.botSales({ ...period, limit: 10 }), [
      { bot: 'https://b.example', sales: 2 },
      { bot: 'https://a.example', sales: 1 },
    ])
    assert.equal((await bench.read.analytics.botSales({ ...period, limit: 1 })).length, 1)
  })

  it('counts followers in total and by the time at which they started to follow', async () => {
    const followed = await bench.profile()
    const day = nextDay()
    for (const createdAt of [day, after(day, HOUR_MS), after(day, 20 * DAY_MS)]) {
      const follower = await bench.profile()
      const connection = { followerProfileId: follower.id, followeeProfileId: followed.id, createdAt }
      await bench.write((tx) => tx.connections?.follow(connection) ?? Promise.resolve(undefined))
    }
    if (!bench.storage.read.connections) return
    const period = { profileId: followed.id, from: day, to: after(day, DAY_MS) }
    assert.deepEqual(await bench.read.analytics.followers({ ...period, unit: 'day' }), {
      total: 3,
      gained: [{ at: day, count: 2 }],
    })
    const stranger = await bench.profile(newProfile(followed.ownerAccountId))
    const none = await bench.read.analytics.followers({ ...period, profileId: stranger.id, unit: 'day' })
    assert.deepEqual(none, { total: 0, gained: [] })
  })
})
