import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, didOf, login, PASSWORD, signOut, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { openShop } from '../support/shop.ts'
import { type Envelope, followWithEventSource, listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

const typesOf = (envelopes: readonly Envelope[]) => envelopes.map(({ type }) => type)

let test: Awaited<ReturnType<typeof createTestApp>>
let base: string
/** The profiles whose creation was handed to streams: one that opens later does not get it. */
const created = new Set<number | null>()
beforeAll(async () => {
  test = await createTestApp({ signals: { anonymousStreams: 30 } })
  base = await listen(test.app)
  test.app.eep.signals.subscribe({
    filter: { types: new Set(['entity.created']) },
    reader: { kind: 'anyone' },
    onEvent: ({ profileId }) => void created.add(profileId),
    onEnd: () => {},
  })
})
afterAll(() => test.close())

const follow = (path: string, headers?: Record<string, string>) => openStream(base, path, headers)
async function writer(name?: string) {
  const made = await createWriter(test.app, name)
  await soon(() => expect(created).toContain(made.profileId))
  return made
}

describe('GET /stream/signals', () => {
  it('starts with the retry time, a comment, and headers that turn off buffering in proxies', async () => {
    const stream = await follow('/stream/signals')
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      // A client that connects again does so on another connection.
      connection: 'close',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-ratelimit-limit': expect.any(String),
      ratelimit: expect.any(String),
    })
    expect(stream.headers).not.toHaveProperty('content-encoding')
    await soon(() => expect(stream.frames).toHaveLength(1))
    expect(stream.frames[0]).toEqual({ retry: '3000', comment: 'connected' })
  })

  it('lets pages of any origin read the stream', async () => {
    const { headers } = await follow('/stream/signals', { origin: 'https://reader.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('sends events of public profiles and their pages', async () => {
    const ada = await writer()
    const stream = await follow(`/stream/signals?source=u/${ada.account.username}`)
    const page = await ada.newPage({ title: 'Engines' })
    await ada.putPage(page.id, { body: 'More.' })
    // Visibility counts when an event is sent: of a page that is a draft by then, no update would be.
    await soon(() => expect(typesOf(stream.envelopes())).toContain('content.updated'))
    await ada.putPage(page.id, { status: 'draft', title: 'Only for its owner' })
    await ada.put('/manage/profile', { bio: 'Analyst' })
    await soon(() =>
      expect(typesOf(stream.envelopes())).toEqual([
        'content.published',
        'content.updated',
        'content.deleted',
        'entity.updated',
      ]),
    )
    const [published, , deleted, updated] = stream.envelopes()
    const path = `/u/${ada.account.username}/content/engines`
    const data = {
      entity_id: ada.profileId,
      page_id: page.id,
      path,
      url: `https://profiles.example${path}`,
      title: 'Engines',
      gated: false,
    }
    expect(deleted).toMatchObject({ data, subject: path })
    expect(updated?.data).toEqual({ entity_id: ada.profileId, changed_fields: ['bio'] })
    expect(published).toMatchObject({ specversion: '1.0', eep_version: '0.1', source: didOf(ada) })
  })

  it('announces a gated page without its text', async () => {
    const shop = await openShop(test.app, 'gated-shop')
    const stream = await follow(`/stream/signals?source=${encodeURIComponent(shop.did)}&types=content.updated`)
    const [page] = (await shop.get(`/manage/pages?profile_id=${shop.profileId}`))
      .json<{ data: { id: number; slug: string }[] }>()
      .data.filter(({ slug }) => slug === 'engines')
    const headers = shop.headers
    await client(test.app).put(`/manage/pages/${page?.id}`, { body: 'top secret' }, headers)
    await soon(() => expect(stream.envelopes()).toHaveLength(1))
    expect(stream.envelopes()[0]?.data).toMatchObject({ gated: true, title: 'Engines' })
    expect(JSON.stringify(stream.frames)).not.toContain('top secret')
  })

  it('resumes after the last event of an eventsource client', async () => {
    const ada = await writer()
    const url = `${base}/stream/signals?source=u/${ada.account.username}`
    const first = followWithEventSource(url, ['content.published'])
    await soon(() => expect(first.source.readyState).toBe(1))
    await ada.newPage({ title: 'One' })
    await soon(() => expect(first.ids).toHaveLength(1))
    first.source.close()
    await ada.newPage({ title: 'Two' })
    await ada.newPage({ title: 'Three' })
    const again = followWithEventSource(`${url}&last_event_id=${first.ids[0]}`, ['content.published'])
    await soon(() => expect(again.envelopes).toHaveLength(2))
    await ada.newPage({ title: 'Four' })
    await soon(() => expect(again.envelopes.map(({ data }) => data.title)).toEqual(['Two', 'Three', 'Four']))
    expect(again.resets).toEqual([])
  })

  it('prefers the header Last-Event-ID to the query', async () => {
    const ada = await writer()
    const path = `/stream/signals?types=content.*&source=u/${ada.account.username}`
    const live = await follow(path)
    for (const title of ['One', 'Two', 'Three']) await ada.newPage({ title })
    await soon(() => expect(live.envelopes()).toHaveLength(3))
    const [one, two] = live.envelopes()
    const resumed = await follow(`${path}&last_event_id=${one?.id}`, { 'last-event-id': two?.id ?? '' })
    await soon(() => expect(resumed.envelopes().map(({ data }) => data.title)).toEqual(['Three']))
  })

  it('resumes after lastEventId in the query, and rejects two different values', async () => {
    const ada = await writer()
    const path = `/stream/signals?types=content.*&source=u/${ada.account.username}`
    const live = await follow(path)
    for (const title of ['One', 'Two']) await ada.newPage({ title })
    await soon(() => expect(live.envelopes()).toHaveLength(2))
    const [one, two] = live.envelopes()
    for (const query of [`lastEventId=${one?.id}`, `lastEventId=${one?.id}&last_event_id=${one?.id}`]) {
      const resumed = await follow(`${path}&${query}`)
      await soon(() => expect(resumed.envelopes().map(({ data }) => data.title)).toEqual(['Two']))
    }
    const refused = await client(test.app).get(`${path}&lastEventId=${one?.id}&last_event_id=${two?.id}`)
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
  })

  it('sends a first event about an unknown last event, then new events', async () => {
    const ada = await writer()
    const stream = await follow(`/stream/signals?source=u/${ada.account.username}`, { 'last-event-id': 'unknown' })
    await soon(() => expect(stream.frames[1]?.event).toBe('reset'))
    expect(JSON.parse(stream.frames[1]?.data ?? '')).toEqual({
      reason: 'unknown',
      oldest_event_id: expect.any(String),
    })
    await ada.newPage()
    await soon(() => expect(typesOf(stream.envelopes())).toEqual(['content.published']))
  })

  it('filters by types, patterns and sources, and rejects unknown ones with issues', async () => {
    const [ada, bob] = [await writer(), await writer()]
    const sources = `${didOf(ada)},u/${bob.account.username}`
    const stream = await follow(`/stream/signals?types=entity.*,content.deleted&source=${sources}`)
    const page = await ada.newPage()
    await bob.put('/manage/profile', { bio: 'Builder' })
    await ada.delete(`/manage/pages/${page.id}`)
    // On a busy machine the new profiles are announced after the stream has opened.
    const changes = () => typesOf(stream.envelopes()).filter((type) => type !== 'entity.created')
    await soon(() => expect(changes()).toEqual(['entity.updated', 'content.deleted']))

    const refused = async (query: string) => {
      const response = await client(test.app).get(`/stream/signals?${query}`)
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
      return response.json<{ error: { details: { issues: { path: string; code: string }[] } } }>().error.details.issues
    }
    expect(await refused('types=content.published,nothing.here,Content.*')).toMatchObject([
      { path: '/types', code: 'unknown_type' },
      { path: '/types', code: 'invalid_pattern' },
    ])
    expect(await refused('events=')).toMatchObject([{ path: '/events', code: 'invalid_pattern' }])
    expect(await refused('source=u/unknown-name,did:web:elsewhere.example:u:ada')).toMatchObject([
      { path: '/source', code: 'unknown_source' },
      { path: '/source', code: 'unknown_source' },
    ])
    expect(await refused(`types=${Array.from({ length: 51 }, () => '*').join()}`)).toMatchObject([{ code: 'too_big' }])
    expect(await refused(`source=${Array.from({ length: 51 }, () => 'u/a').join()}`)).toMatchObject([
      { code: 'too_big' },
    ])
  })

  it('answers HEAD with the headers of the stream, and closes', async () => {
    const response = await client(test.app).send('HEAD', '/stream/signals')
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

describe('GET /eep/stream', () => {
  it('sends team events to the team only, and account events to the account only', async () => {
    const bob = await writer()
    const shop = await openShop(test.app, 'shop-of-a-team')
    const ada = { headers: shop.headers, email: 'shop-of-a-team@example.com' }
    const types = 'types=gate.access_granted,session.revoked,entity.updated'
    const anyone = await follow(`/stream/signals?${types}`)
    const own = await follow(`/eep/stream?${types}`, ada.headers)
    const other = await follow(`/eep/stream?${types}`, bob.headers)
    const grant = { profile_id: shop.profileId, tier: 'reader', account: bob.account.username }
    const granted = await client(test.app).as(ada).post('/manage/entitlements', grant)
    expect(granted.statusCode, granted.body).toBe(201)
    const session = (await login(test.app, ada.email)).json().token
    await signOut(test.app, { authorization: `Bearer ${session}` })
    await client(test.app).as(ada).put('/manage/profile', { bio: 'Sells' })
    await soon(() =>
      expect(typesOf(own.envelopes())).toEqual(['gate.access_granted', 'session.revoked', 'entity.updated']),
    )
    await soon(() => expect(typesOf(other.envelopes())).toEqual(['entity.updated']))
    await soon(() => expect(typesOf(anyone.envelopes())).toEqual(['entity.updated']))
  })

  it('accepts an API key in the query, and rejects one without the scope', async () => {
    const ada = await writer()
    const { key } = await newKey(test.app, ada.headers, { scopes: ['read:events'] })
    const stream = await follow(`/eep/stream?api_key=${key}`)
    expect(stream.status).toBe(200)
    const { key: narrow } = await newKey(test.app, ada.headers, { scopes: ['read:profiles'] })
    const refused = await client(test.app).get(`/eep/stream?api_key=${narrow}`)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'insufficient_scope'])
    const elsewhere = await client(test.app).get(`/auth/me?api_key=${key}`)
    expect(elsewhere.statusCode).toBe(401)
  })

  it('closes the stream when the session, key or account of the caller ends', async () => {
    const ada = await writer()
    const second = (await login(test.app, ada.account.email)).json().token
    const { key, id } = await newKey(test.app, ada.headers, {})
    const bySession = await follow('/eep/stream', { authorization: `Bearer ${second}` })
    const byKey = await follow('/eep/stream', { 'x-api-key': key })
    const stays = await follow('/eep/stream', ada.headers)
    await signOut(test.app, { authorization: `Bearer ${second}` })
    await soon(() => expect(bySession.isEnded()).toBe(true))
    expect([byKey.isEnded(), stays.isEnded()]).toEqual([false, false])
    await ada.delete(`/api-keys/${id}`)
    await soon(() => expect(byKey.isEnded()).toBe(true))
    await client(test.app)
      .as(ada)
      .put('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD} again 9` })
    await soon(() => expect(stays.isEnded()).toBe(true))
  })
})

describe('GET /stream/signals/following', () => {
  it('sends events of profiles from the moment that the acting profile follows them', async () => {
    const [ada, bob, eve] = [await writer(), await writer(), await writer()]
    const stream = await follow('/stream/signals/following', ada.headers)
    await bob.newPage({ title: 'Before' })
    await client(test.app).as(ada).post(`/connections/u/${bob.account.username}`)
    await bob.newPage({ title: 'While' })
    await eve.newPage({ title: 'Never' })
    await client(test.app).as(ada).delete(`/connections/u/${bob.account.username}`)
    await bob.newPage({ title: 'After' })
    await client(test.app).as(ada).post(`/connections/u/${eve.account.username}`)
    await eve.newPage({ title: 'Now' })
    await soon(() => expect(stream.envelopes().map(({ data }) => data.title)).toEqual(['While', 'Now']))
  })

  it.each(['/stream/signals/following', '/eep/stream'])(
    'accepts an acting profile in the header of %s from members of its team only',
    async (path) => {
      const [ada, bob] = [await writer(), await writer()]
      const acting = { ...ada.headers, 'x-active-profile-id': String(bob.profileId) }
      for (const method of ['GET', 'HEAD'] as const) {
        const refused = await client(test.app).send(method, path, undefined, acting)
        expect(refused.statusCode, method).toBe(403)
      }
    },
  )
})

describe('GET /eep/events', () => {
  it('lists past events in pages to those who may receive them', async () => {
    const [ada, bob] = [await writer(), await writer()]
    for (const title of ['One', 'Two', 'Three']) await ada.newPage({ title })
    const source = `source=u/${ada.account.username}&types=content.*`
    const read = async (query: string, headers = bob.headers) =>
      (await client(test.app).get(`/eep/events?${query}`, headers)).json<{
        events: Envelope[]
        next_cursor?: string
      }>()
    const first = await vi.waitFor(
      async () => {
        const page = await read(`${source}&limit=2`)
        expect(page.events).toHaveLength(2)
        expect(page.next_cursor).toBe(page.events[1]?.id)
        return page
      },
      { timeout: 60_000 },
    )
    const last = await read(`${source}&limit=2&since=${first.next_cursor}`)
    expect(last.events.map(({ data }) => data.title)).toEqual(['Three'])
    expect(last).not.toHaveProperty('next_cursor')
    const [one, two] = first.events
    expect((await read(`${source}&since=${one?.id}&until=${two?.id}`)).events).toEqual([two])
    const later = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    expect((await read(`${source}&since=${later}`)).events).toEqual([])
    expect((await read(`${source}&until=${later}`)).events).toHaveLength(3)
  })

  it('returns 410 with the oldest kept event for an unknown one', async () => {
    const ada = await writer()
    const response = await client(test.app).as(ada).get('/eep/events?since=unknown')
    expect(response.statusCode).toBe(410)
    expect(response.json()).toMatchObject({
      error: { code: 'retention_window_exceeded' },
      oldest_retained_event_id: expect.any(String),
    })
  })
})

describe('the limit of concurrent streams', () => {
  it('refuses streams above the limit of the plan until another is closed', async () => {
    const { headers } = await signUp(test.app)
    const streams = []
    for (let count = 0; count < 5; count += 1) streams.push(await follow('/eep/stream', headers))
    const refused = await client(test.app).get('/eep/stream', headers)
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_streams'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    streams[0]?.close()
    await vi.waitFor(
      async () => {
        const again = await follow('/eep/stream', headers)
        expect(again.status).toBe(200)
      },
      { timeout: 60_000, interval: 20 },
    )
  })
})

describe('a service that stops', () => {
  it('ends streams with a comment, on drain and on close', async () => {
    const stopping = await createTestApp()
    const address = await listen(stopping.app)
    const drained = await openStream(address, '/stream/signals')
    stopping.eep.drain()
    await soon(() => expect(drained.isEnded()).toBe(true))
    expect(drained.frames.at(-1)).toEqual({ comment: 'the service stops' })
    expect((await openStream(address, '/stream/signals')).status).toBe(503)
    await stopping.close()

    const closing = await createTestApp()
    const open = await openStream(await listen(closing.app), '/stream/signals')
    await closing.close()
    await soon(() => expect(open.isEnded()).toBe(true))
    expect(open.frames.at(-1)).toEqual({ comment: 'the service stops' })
    await sleep(1)
  })
})

describe('descriptions of events', () => {
  it('lists every type with its schema, and names them in the manifest', async () => {
    const { items } = (await client(test.app).get('/eep/events/types')).json<{
      items: { type: string; data_schema: object }[]
    }>()
    const names = items.map(({ type }) => type)
    expect(names).toEqual(expect.arrayContaining(['entity.created', 'content.published', 'session.revoked']))
    const manifest = (await client(test.app).get('/.well-known/eep.json')).json()
    expect(manifest.event_types.map(({ type }: { type: string }) => type)).toEqual(names)
    expect(manifest.layers.layer2_sse).toBe('https://profiles.example/eep/stream')
    expect(manifest.event_catalog_url).toBe('https://profiles.example/eep/events/types')
    const schema = await client(test.app).get('/eep/events/types/content.published')
    expect(schema.json()).toMatchObject({ type: 'object', properties: { page_id: { type: 'integer' } } })
    expect((await client(test.app).get('/eep/events/types/nothing.here')).statusCode).toBe(404)
  })

  it('describes channels and messages in AsyncAPI without dangling references', async () => {
    const document = (await client(test.app).get('/docs/asyncapi.json')).json()
    expect(document.asyncapi).toBe('3.0.0')
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const target = reference.split('/').reduce((value, name) => value?.[name], document)
      expect(target, reference).toBeDefined()
    }
  })

  it('links each profile to its stream, and lists its delivery methods', async () => {
    const ada = await writer()
    const response = await client(test.app).get(`/u/${ada.account.username}?format=json`)
    expect(response.headers.link).toContain(`</stream/signals?source=${didOf(ada)}>; rel="monitor"`)
    expect(response.json().eep).toMatchObject({
      supported_delivery: expect.arrayContaining(['sse']),
      supported_event_types: expect.arrayContaining(['content.published', 'entity.updated']),
    })
  })
})
