import type { IncomingHttpHeaders } from 'node:http'
import type { AnalyticsReader } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { DOMParser, onWarningStopParsing } from '@xmldom/xmldom'
import { describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { analyticsOf, BROWSER, EACH_A_REQUEST, untilTotals } from '../support/analytics.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createWriter } from '../support/content.ts'
import { onPglite } from '../support/database.ts'
import { openInstances } from '../support/instances.ts'
import { header, openShop } from '../support/shop.ts'
import { join } from '../support/teams.ts'

const cashWallets = createCashWallets()
const { database, instance } = await openInstances({
  payments: { rails: [cashRail({ cashWallets })] },
  analytics: {
    countryOf: ({ headers }: { readonly headers: IncomingHttpHeaders }) => {
      if (headers['x-country'] === 'fails') throw new Error('unknown')
      return headers['x-country'] as string | undefined
    },
  },
})
const app = await instance({ withSearch: true })
const other = await instance({ storage: database.another() })
const { clock, at } = createClock()

const HOUR_MS = 3_600_000
const read = (path: string, headers: Record<string, string> = {}, { on = app, from = '192.0.2.7' } = {}) =>
  on.inject({ url: path, headers: { 'user-agent': BROWSER, ...headers }, remoteAddress: from })

describe('GET /analytics/profiles/{id}', () => {
  it('counts reads of the profile and its pages on every instance, by client, format, path, referrer and country', async () => {
    const ada = await createWriter(app)
    const page = await ada.newPage({ title: 'Engines' })
    const profile = `/u/${ada.account.username}`
    const cached = await read(`${profile}.json`)
    for (const on of [app, other]) {
      await read(`${profile}.json`, {}, { on })
      const headers = { accept: 'text/html', referer: 'https://www.news.example/today?user=7', 'x-country': 'se' }
      await read(page.path, headers, { on })
    }
    const unchanged = await read(`${profile}.json`, { 'if-none-match': header(cached, 'etag') })
    expect(unchanged.statusCode).toBe(304)
    await read(profile, { 'user-agent': 'GPTBot/1.3', 'x-country': 'fails' })
    await read(profile, { 'user-agent': 'curl/8', referer: 'https://profiles.example/u/bob' }, { from: '192.0.2.8' })
    await read(profile, keyAgent().sign({ path: profile }))
    // Neither are the reads of the owner counted, nor HEAD, nor what is not found.
    await ada.get(profile)
    await app.inject({ method: 'HEAD', url: profile })
    // Nor what browsers load for a page, or before anyone opens it.
    await read(`${profile}.json`, { 'sec-fetch-dest': 'image' })
    await read(profile, { 'sec-purpose': 'prefetch;prerender' })
    await read(profile, { purpose: 'prefetch' })
    await read(`${profile}/content/nothing`)

    await untilTotals(ada, ada.profileId, { views: 9 })
    const found = await analyticsOf(ada, ada.profileId)
    expect(found.totals).toMatchObject({
      views: 9,
      visitors: 3,
      clients: { human: 6, agent: 2, bot: 1 },
      challenges: 0,
      payments: 0,
      conversion: null,
      revenue: [],
      followers: 0,
      all_followers: 0,
    })
    expect(found.formats).toEqual([
      { format: 'json', count: 4 },
      { format: 'markdown', count: 3 },
      { format: 'html', count: 2 },
    ])
    expect(found.pages).toEqual([
      { path: '/', count: 7 },
      { path: '/content/engines', count: 2 },
    ])
    expect(found.referrers).toEqual([{ host: 'news.example', count: 2 }])
    expect(found.countries).toEqual([{ country: 'SE', count: 2 }])
    expect(found.series).toHaveLength(30)
    expect(found.series.at(-1)).toMatchObject({ views: 9, visitors: 3 })
    expect((await analyticsOf(ada, ada.profileId, '?interval=hour')).totals).toMatchObject({ views: 9 })
  })

  it('counts requests with DNT or Sec-GPC without their visitors', async () => {
    const ada = await createWriter(app)
    const profile = `/u/${ada.account.username}`
    await read(profile, { dnt: '1' })
    await read(profile, { 'sec-gpc': '1' }, { from: '192.0.2.9' })
    await untilTotals(ada, ada.profileId, { views: 2, visitors: 0 })
  })

  it('relates paywalls to payments, and shows revenue to those who may read payments', async () => {
    const shop = await openShop(app, 'analysed-shop')
    const viewer = await signUp(app)
    const team = { owner: shop, id: shop.profileId, team: `/profiles/${shop.profileId}/team` }
    await join(team, viewer, 'viewer')
    const challenge = await read(shop.paid)
    // Anonymous requests get the cached challenge.
    for (let again = 0; again < 3; again += 1) expect((await read(shop.paid)).statusCode).toBe(402)
    const wallet = 'wallet:analysed'
    const paid = await read(shop.paid, cashWallets.answer(header(challenge, 'payment-required'), { wallet }))
    expect(paid.statusCode, paid.body).toBe(200)
    await signUp(app).then((fan) => fan.post('/connections/u/analysed-shop'))

    await untilTotals(shop, shop.profileId, { challenges: 4, views: 1 })
    const found = await analyticsOf(shop, shop.profileId)
    expect(found.totals).toMatchObject({ checkouts: 1, payments: 1, conversion: 0.25, followers: 1, all_followers: 1 })
    expect(found.totals.revenue).toMatchObject([{ rail: 'cash', sales: 1, gross: '10000' }])
    expect(found.paywalls).toEqual([{ path: '/content/notes/engines', count: 4 }])
    const seen = await analyticsOf(viewer, shop.profileId)
    expect(seen.totals).toMatchObject({ payments: 1, revenue: null })
    const asked = await viewer.get(`/analytics/profiles/${shop.profileId}?metric=revenue`)
    expect(asked.statusCode).toBe(403)
  })

  it('shows the queries that found the profile by their words, from the third time, once for all pages', async () => {
    const ada = await createWriter(app)
    for (const title of ['Zygomatic looms', 'More zygomatic looms']) await ada.newPage({ title })
    const search = async (query: string) => (await read(`/search?q=${query}&format=json`)).json()
    await expect.poll(async () => (await search('zygomatic&limit=2')).data?.length, EACH_A_REQUEST).toBe(2)
    for (const query of ['Zygomatic%20%20LOOMS', 'looms', 'zygomatic%20looms', 'looms', 'zygomatic%20looms']) {
      const first = await search(`${query}&limit=1`)
      expect(first.data).toHaveLength(1)
      const { next_cursor: cursor } = first.pagination
      expect((await search(`${query}&limit=1&cursor=${cursor}`)).data).toHaveLength(1)
    }
    const terms = async () => (await analyticsOf(ada, ada.profileId, '?metric=search_terms')).search_terms
    const shown = async () => (await terms()).filter(({ query }: { query: string }) => query !== 'zygomatic')
    await expect.poll(shown, EACH_A_REQUEST).toEqual([{ query: 'zygomatic looms', count: 3 }])
  })

  it('returns CSV to clients that prefer it, with harmless cells', async () => {
    const ada = await createWriter(app)
    await read(`/u/${ada.account.username}`)
    await untilTotals(ada, ada.profileId, { views: 1 })
    const url = `/analytics/profiles/${ada.profileId}?metric=views,pages&interval=month`
    const csv = await ada.get(url, { accept: 'text/csv' })
    expect(header(csv, 'content-type')).toBe('text/csv; charset=utf-8; header=present')
    const lines = csv.body.trimEnd().split('\r\n')
    const month = `${new Date().toISOString().slice(0, 7)}-01T00:00:00.000Z`
    expect(lines).toHaveLength(14)
    expect(lines[0]).toBe('at,metric,key,value')
    expect(lines.slice(-2)).toEqual([`${month},views,,1`, ',pages,/,1'])
    expect(header(await ada.get(url), 'content-type')).toContain('application/json')
  })

  it('returns the wanted metrics only', async () => {
    const ada = await createWriter(app)
    const found = await analyticsOf(ada, ada.profileId, '?metric=views,%20pages')
    expect(found.totals).toEqual({ views: 0 })
    expect(found.pages).toEqual([])
    expect(found).not.toHaveProperty('formats')
  })

  it('reads only what the metrics of a request need', async () => {
    const calls: string[] = []
    const analytics = new Proxy(database.storage.read.analytics as object, {
      get(target, property, receiver) {
        calls.push(String(property))
        return Reflect.get(target, property, receiver)
      },
    }) as AnalyticsReader
    const read = { ...database.storage.read, analytics }
    const counting = await instance({ storage: { ...database.storage, read } })
    const ada = await createWriter(app)
    for (const [query, methods] of [
      ['?metric=formats', ['top']],
      ['?metric=payments', ['sales']],
      ['?metric=views,followers', ['series', 'followers']],
      ['.svg?metric=visitors', ['visitors']],
    ] as const) {
      calls.length = 0
      const response = await client(counting).as(ada).get(`/analytics/profiles/${ada.profileId}${query}`)
      expect(response.statusCode, response.body).toBe(200)
      expect(calls, query).toEqual(methods)
    }
  })

  it('is not for shared caches, and varies by format and by the origins that may send cookies', async () => {
    const trusting = await instance({ storage: database.another(), http: { trustedOrigins: ['https://app.example'] } })
    const ada = await createWriter(app)
    const response = await client(trusting).as(ada).get(`/analytics/profiles/${ada.profileId}`)
    expect(header(response, 'vary')).toBe('Accept, Origin')
    expect(header(response, 'cache-control')).toBe('private, no-store')
  })

  it.each([
    ['from after to', 'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'invalid_range'],
    ['more than 1,000 intervals', 'from=2020-01-01T00:00:00Z&interval=day', 'invalid_range'],
    ['hours that are not kept', 'from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z&interval=hour', 'figures_expired'],
    ['a time without a zone', 'from=2026-02-01', 'validation_failed'],
    ['an unknown interval', 'interval=year', 'validation_failed'],
    ['an unknown metric', 'metric=views,clicks', 'validation_failed'],
    ['a metric that is too long', `metric=${'x'.repeat(300)}`, 'validation_failed'],
  ])('refuses %s', async (_, query, code) => {
    const ada = await createWriter(app)
    const response = await ada.get(`/analytics/profiles/${ada.profileId}?${query}`)
    expect([response.statusCode, response.json().error.code]).toEqual([400, code])
  })

  it('is shown to the team and its API keys, and not to other accounts', async () => {
    const ada = await createWriter(app)
    const viewer = await signUp(app)
    await join({ owner: ada, id: ada.profileId, team: `/profiles/${ada.profileId}/team` }, viewer, 'viewer')
    const [other, key] = [await signUp(app), await newKey(app, ada.headers, { scopes: ['read:analytics'] })]
    for (const url of ['', '/live', '.svg'].map((end) => `/analytics/profiles/${ada.profileId}${end}`)) {
      const statuses = await Promise.all(
        [ada.headers, viewer.headers, key.headers, other.headers].map(
          async (headers) => (await client(app).get(url, headers)).statusCode,
        ),
      )
      expect([url, ...statuses]).toEqual([url, 200, 200, 200, 403])
    }
    expect((await ada.get('/analytics/profiles/999999')).statusCode).toBe(404)
    expect((await ada.get('/analytics/profiles/0x21')).statusCode).toBe(404)
  })
})

describe('GET /analytics/profiles/{id}/live', () => {
  it('shows the minutes of the last half hour', async () => {
    const ada = await createWriter(app)
    await read(`/u/${ada.account.username}`)
    await untilTotals(ada, ada.profileId, { views: 1 })
    const live = (await ada.get(`/analytics/profiles/${ada.profileId}/live`)).json()
    expect(live).toMatchObject({ views: 1, visitors: 1, challenges: 0, pages: [{ path: '/', count: 1 }] })
    expect(live.clients).toEqual({ human: 1, agent: 0, bot: 0 })
    expect(live.minutes).toHaveLength(30)
    expect(live.minutes.filter(({ views }: { views: number }) => views > 0)).toHaveLength(1)
  })
})

describe('GET /analytics/profiles/{id}.svg', () => {
  it('draws a metric, and escapes names', async () => {
    const ada = await createWriter(app)
    await ada.put(`/profiles/u/${ada.account.username}`, { full_name: `</title><script>"&'` })
    await read(`/u/${ada.account.username}`)
    await untilTotals(ada, ada.profileId, { views: 1 })
    const chart = await ada.get(`/analytics/profiles/${ada.profileId}.svg?metric=visitors&interval=week`)
    expect(header(chart, 'content-type')).toContain('image/svg+xml')
    expect(header(chart, 'content-security-policy')).toContain("default-src 'none'")
    // Throws when it is not well-formed.
    const svg = new DOMParser({ onError: onWarningStopParsing }).parseFromString(chart.body, 'image/svg+xml')
    expect(svg.getElementsByTagName('title')[0]?.textContent).toBe(`</title><script>"&': 1 visitors`)
    expect(svg.getElementsByTagName('script')).toHaveLength(0)
    expect(chart.body.match(/<rect [^>]*><title>/g)).toHaveLength(12)
    expect((await ada.get(`/analytics/profiles/${ada.profileId}.svg?metric=pages`)).statusCode).toBe(400)
  })
})

describe('stored figures', () => {
  it.skipIf(onPglite())('contain neither addresses nor user agents, in any column of any table', async () => {
    const ada = await createWriter(app)
    const [from, mark] = ['203.0.113.199', 'Mozilla/5.0 (marked-user-agent)']
    const referer = 'https://news.example/marked-path'
    await read(`/u/${ada.account.username}`, { 'user-agent': mark, referer }, { from })
    await untilTotals(ada, ada.profileId, { views: 1, visitors: 1 })
    const rows = (await database.dump?.()) ?? []
    expect(rows.some((row) => row.includes('news.example'))).toBe(true)
    for (const text of [from, 'marked-user-agent', 'marked-path']) {
      expect(rows.filter((row) => row.includes(text))).toEqual([])
    }
    const types = await database.dump?.(['analytics_visitors'])
    expect(types?.length).toBeGreaterThan(0)
  })

  it('count a visitor of another day by another salt', async () => {
    const today = await instance({ storage: database.another(), clock })
    const ada = await createWriter(today)
    const profile = `/u/${ada.account.username}`
    await read(profile, {}, { on: today })
    await untilTotals(ada, ada.profileId, { views: 1, visitors: 1 })
    const tomorrow = clock().getTime() + 24 * HOUR_MS
    await at(tomorrow, async () => {
      await read(profile, {}, { on: today })
      await untilTotals(ada, ada.profileId, { views: 2, visitors: 2 })
    })
  })

  it('exist for visits while the module is on, including the last second of a service that stops', async () => {
    const ada = await createWriter(app)
    const profile = `/u/${ada.account.username}`
    const without = await instance({ storage: database.another(), analytics: false, insights: false })
    await read(profile, {}, { on: without })
    expect((await ada.get(`/analytics/profiles/${ada.profileId}`)).statusCode).toBe(200)
    expect((await client(without).as(ada).get(`/analytics/profiles/${ada.profileId}`)).statusCode).toBe(404)
    const stopping = await instance({ storage: database.another() })
    await read(profile, {}, { on: stopping })
    await stopping.close()
    expect((await analyticsOf(ada, ada.profileId)).totals).toMatchObject({ views: 1, visitors: 1 })
  })
})
