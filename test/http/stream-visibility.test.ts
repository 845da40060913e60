import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { didOf, makeAdministrator, PASSWORD, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type PageRecord, type Writer } from '../support/content.ts'
import { SURFACES } from '../support/event-surfaces.ts'
import { shopGate } from '../support/shop.ts'
import { type Envelope, listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let base: string
let admin: Record<string, string>
beforeAll(async () => {
  test = await createTestApp({
    signals: { anonymousStreams: 100 },
    limits: { plans: { community: { concurrentStreams: 100 } } },
    http: { allowPrivateHosts: ['127.0.0.1'] },
  })
  base = await listen(test.app)
  const root = await signUp(test.app)
  await makeAdministrator(test, root)
  admin = root.headers
})
afterAll(() => test.close())

/** The ways of hiding a profile or a page, and the event that other readers get. */
const STATES: readonly {
  readonly state: string
  readonly told: readonly string[]
  /** What the list of public changes answers to others then. */
  readonly changelog: number
  hide(victim: Writer, page: PageRecord): PromiseLike<{ readonly statusCode: number; readonly body: string }>
  /** Something that happens to it afterwards, where it still exists. */
  after?(victim: Writer, page: PageRecord): PromiseLike<unknown>
}[] = [
  ...(['private', 'unlisted'] as const).map((visibility) => ({
    state: `a profile that is ${visibility}`,
    told: ['entity.deleted'],
    changelog: visibility === 'private' ? 404 : 200,
    hide: (victim: Writer) => victim.put(`/profiles/${victim.profileId}/visibility`, { visibility }),
    after: (victim: Writer) => victim.newPage({ title: 'After' }),
  })),
  {
    state: 'a deleted profile',
    told: ['entity.deleted'],
    changelog: 404,
    hide: ({ send, account }) => send('DELETE', `/profiles/u/${account.username}`),
  },
  {
    state: 'a profile of an account that is to be deleted',
    told: ['entity.deleted'],
    changelog: 404,
    hide: ({ send }) => send('DELETE', '/auth/account', { password: PASSWORD }),
  },
  {
    state: 'a profile of a banned account',
    told: [],
    // Its pages can still be read at their addresses.
    changelog: 200,
    hide: ({ account }) => client(test.app).put(`/admin/users/${account.id}`, { banned: true }, admin),
  },
  {
    state: 'a page that becomes a draft',
    told: ['content.deleted'],
    changelog: 200,
    hide: (victim, page) => victim.putPage(page.id, { status: 'draft' }),
    after: (victim, page) => victim.putPage(page.id, { title: 'After' }),
  },
  {
    state: 'a page that is moved to a private category',
    told: ['content.deleted'],
    changelog: 200,
    async hide(victim, page) {
      const category = await victim.newCategory({ name: 'Secret', visibility: 'private' })
      return victim.putPage(page.id, { category_id: category.id })
    },
    after: (victim, page) => victim.putPage(page.id, { title: 'After' }),
  },
  {
    state: 'a deleted page',
    told: ['content.deleted'],
    changelog: 200,
    hide: (victim, page) => victim.delete(`/manage/pages/${page.id}`),
  },
]

const titled = (title: string) => (envelope: Envelope) => envelope.data.title === title
/** In the body of every page; no event has it. */
const BODY = 'the-text-of-the-page'

/** Someone who follows two profiles on every surface, after an event that both have been followed since. */
async function followEverywhere(victim: Writer) {
  const [reader, bystander] = [await createWriter(test.app), await createWriter(test.app)]
  for (const { account } of [victim, bystander]) {
    await client(test.app).as(reader).post(`/connections/u/${account.username}`)
  }
  const first = await openStream(base, '/stream/signals?types=content.*')
  await bystander.newPage({ title: 'Start' })
  const isStart = (envelope: Envelope) => titled('Start')(envelope) && envelope.source === didOf(bystander)
  await soon(() => expect(first.envelopes().some(isStart)).toBe(true))
  const start = first.envelopes().find(isStart) as Envelope
  first.close()
  const followed = { app: test.app, base, reader, sources: [didOf(victim), didOf(bystander)] }
  const followers = await Promise.all(
    SURFACES.map(async (surface) => ({ name: surface.name, follower: await surface.follow(followed, start.id) })),
  )
  const isEnd = (envelope: Envelope) => titled('End')(envelope) && envelope.source === didOf(bystander)
  return { reader, bystander, start, followers, isEnd }
}

describe.each(STATES)('$state', ({ state, told, changelog, hide, after }) => {
  it('publishes nothing to others on any surface, live or in replay, but the removal', async () => {
    const victim = await createWriter(test.app)
    const { reader, bystander, start, followers, isEnd } = await followEverywhere(victim)
    const page = await victim.newPage({ title: 'Before', body: BODY })
    const ofVictim = (envelopes: readonly Envelope[]) =>
      envelopes.filter((each) => JSON.stringify(each).includes(victim.account.username))
    for (const { name, follower } of followers) {
      if (name !== '/ws/messages') await follower.settle(titled('Before'))
    }
    const hidden = await hide(victim, page)
    expect(hidden.statusCode, hidden.body).toBe(200)
    await after?.(victim, page)
    await bystander.newPage({ title: 'End' })

    for (const { name, follower } of followers) {
      await follower.settle(isEnd)
      const seen = ofVictim(follower.envelopes())
      const since = seen.slice(seen.findLastIndex(({ type }) => type === 'content.published') + 1)
      const expected = name === '/ws/messages' ? [] : told
      expect([name, ...since.map(({ type }) => type)]).toEqual([name, ...expected])

      const replay = await follower.again(start)
      await replay.settle(isEnd)
      const replayed = ofVictim(replay.envelopes())
      // A socket and a webhook are subscribed to a source, which may be refused once it is hidden.
      const isSilent = name === '/eep/pulse' && replayed.length === 0
      expect([name, ...replayed.map(({ type }) => type)]).toEqual([name, ...(isSilent ? [] : expected)])
      const gone = replayed[0]
      if (gone) expect(gone).toMatchObject({ source: didOf(victim), data: { entity_id: victim.profileId } })
      expect(JSON.stringify([follower.envelopes(), replay.envelopes()])).not.toMatch(new RegExp(`After|${BODY}`))
      await replay.close()
      await follower.close()
    }
    const changes = await client(test.app).get(`/u/${victim.account.username}/changelog`, {
      ...reader.headers,
      accept: 'application/json',
    })
    expect([changes.statusCode, changes.body.includes(BODY)]).toEqual([changelog, false])
    // An unlisted profile is for those who know its address.
    if (!state.endsWith('unlisted')) expect(changes.body).not.toContain('After')
    const named = await client(test.app).send('HEAD', `/stream/signals?source=u/${victim.account.username}`)
    // As a source it can be named by those who can read its changelog.
    expect(named.statusCode).toBe(changelog === 200 ? 200 : 400)
  }, 300_000)
})

describe.each(['private', 'unlisted'] as const)('a profile that was %s', (visibility) => {
  it('names no page on any surface that was withdrawn before the profile became public', async () => {
    const victim = await createWriter(test.app)
    const { bystander, start, followers, isEnd } = await followEverywhere(victim)
    const show = async (value: string) => {
      const changed = await victim.put(`/profiles/${victim.profileId}/visibility`, { visibility: value })
      expect(changed.statusCode, changed.body).toBe(200)
    }
    await show(visibility)
    const secret = await victim.newCategory({ name: 'Vault', visibility: 'private' })
    const [shut, gone] = [await victim.newCategory({ name: 'Plans' }), await victim.newCategory({ name: 'Ideas' })]
    const layoffs = (fields: object = {}) => victim.newPage({ title: 'Layoffs', ...fields })
    await layoffs({ category_id: shut.id })
    await layoffs({ category_id: gone.id })
    const withdrawn = [
      victim.delete(`/manage/pages/${(await layoffs()).id}`),
      victim.putPage((await layoffs()).id, { status: 'draft' }),
      victim.putPage((await layoffs()).id, { category_id: secret.id }),
      victim.putCategory(shut.id, { visibility: 'private' }),
      victim.delete(`/manage/categories/${gone.id}?cascade=true`),
    ]
    expect((await Promise.all(withdrawn)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    await show('public')
    const open = await victim.newPage({ title: 'Open' })
    await victim.delete(`/manage/pages/${open.id}`)
    await bystander.newPage({ title: 'End' })

    for (const { name, follower } of followers) {
      await follower.settle(isEnd)
      const live = follower.envelopes()
      const replay = await follower.again(start)
      await replay.settle(isEnd)
      for (const envelopes of [live, replay.envelopes()]) {
        const removed = envelopes.filter(({ type }) => type === 'content.deleted').map(({ data }) => data.title)
        expect([name, ...removed]).toEqual([name, ...(name === '/ws/messages' ? [] : ['Open'])])
        expect(JSON.stringify(envelopes)).not.toMatch(/layoffs/i)
      }
      await replay.close()
      await follower.close()
    }
  }, 300_000)
})

describe('a gated page', () => {
  it('publishes gated pages on every surface without their text', async () => {
    const victim = await createWriter(test.app)
    const did = didOf(victim)
    const gate = await victim.put(`/eep/gates/${did}`, shopGate())
    expect(gate.statusCode, gate.body).toBe(200)
    const category = await victim.newCategory({ name: 'Notes' })
    const { bystander, start, followers, isEnd } = await followEverywhere(victim)
    await victim.newPage({ title: 'Engines', body: BODY, category_id: category.id })
    await bystander.newPage({ title: 'End' })
    for (const { name, follower } of followers) {
      const requireAnnouncement = (envelopes: readonly Envelope[]) => {
        const announced = envelopes.filter(titled('Engines')).map(({ type, data }) => [type, data.gated])
        expect([name, announced]).toEqual([name, name === '/ws/messages' ? [] : [['content.published', true]]])
        expect(JSON.stringify(envelopes)).not.toContain(BODY)
      }
      await follower.settle(isEnd)
      requireAnnouncement(follower.envelopes())
      const replay = await follower.again(start)
      await replay.settle(isEnd)
      requireAnnouncement(replay.envelopes())
      await replay.close()
      await follower.close()
    }
  }, 300_000)
})

describe('a slow client', () => {
  it.each(['live', 'in replay'])(
    'receives no event of a profile that became private after it was queued, %s',
    async (how) => {
      const { signals } = test.app.eep
      const ada = await createWriter(test.app)
      const watcher = await openStream(base, `/stream/signals?source=u/${ada.account.username}`)
      const publish = async (title: string) => {
        await ada.newPage({ title })
        await soon(() => expect(watcher.envelopes().some(titled(title))).toBe(true))
      }
      await publish('Start')
      const seen: unknown[] = []
      const { promise: free, resolve: setFree } = Promise.withResolvers<void>()
      const follow = (after?: string) =>
        signals.subscribe({
          filter: {},
          reader: { kind: 'anyone' },
          after,
          onEvent({ envelope }) {
            if (envelope.source !== didOf(ada)) return undefined
            seen.push(envelope.data.title ?? envelope.type)
            return seen.length === 1 ? free : undefined
          },
          onEnd: (reason) => void seen.push(reason),
        })
      const live = how === 'live' ? follow() : undefined
      for (const title of ['First', 'Second', 'Third']) await publish(title)
      const subscription = live ?? follow(watcher.envelopes().find(titled('Start'))?.id)
      await soon(() => expect(seen).toEqual(['First']))
      const hidden = await ada.put(`/profiles/${ada.profileId}/visibility`, { visibility: 'private' })
      expect(hidden.statusCode, hidden.body).toBe(200)
      setFree()
      await soon(() => expect(seen).toEqual(['First', 'entity.deleted']))
      subscription.close()
      watcher.close()
    },
  )
})

describe('content that is not public', () => {
  it('publishes no drafts, archived pages, or pages in private categories', async () => {
    const ada = await createWriter(test.app)
    const stream = await openStream(base, `/stream/signals?source=u/${ada.account.username}`)
    const category = await ada.newCategory({ name: 'Secret', visibility: 'private' })
    const hidden = await ada.newPage({ title: 'Hidden', category_id: category.id })
    await ada.putPage(hidden.id, { body: 'more' })
    await ada.delete(`/manage/pages/${hidden.id}`)
    const draft = await ada.newPage({ title: 'Draft', status: 'draft' })
    await ada.putPage(draft.id, { title: 'Still a draft' })
    await ada.delete(`/manage/pages/${draft.id}`)
    const page = await ada.newPage({ title: 'Open' })
    await ada.putPage(page.id, { category_id: category.id })
    await ada.put('/manage/profile', { bio: 'The end' })
    await soon(() => expect(stream.envelopes().at(-1)?.type).toBe('entity.updated'))
    const told = stream.envelopes().map(({ type, data }) => [type, data.title])
    expect(told.filter(([type]) => type === 'content.published').length).toBeLessThan(2)
    expect(told.slice(-2)).toEqual([
      ['content.deleted', 'Open'],
      ['entity.updated', undefined],
    ])
    expect(JSON.stringify(told)).not.toMatch(/Hidden|draft/i)
  })

  it('removes pages for readers when a category above them becomes private, and publishes them again with it', async () => {
    const ada = await createWriter(test.app)
    const outer = await ada.newCategory({ name: 'Outer' })
    const inner = await ada.newCategory({ name: 'Inner', parent_id: outer.id })
    const secret = await ada.newCategory({ name: 'Secret', parent_id: outer.id, visibility: 'private' })
    await ada.newPage({ title: 'Elsewhere' })
    const pages = [
      await ada.newPage({ title: 'Upper', category_id: outer.id }),
      await ada.newPage({ title: 'Lower', category_id: inner.id }),
    ]
    await ada.newPage({ title: 'Draft', category_id: inner.id, status: 'draft' })
    await ada.newPage({ title: 'Hidden', category_id: secret.id })
    const stream = await openStream(base, `/stream/signals?source=u/${ada.account.username}`)
    let ends = 0
    const end = async (bio: string) => {
      await ada.put('/manage/profile', { bio })
      ends += 1
      await soon(() => expect(stream.envelopes().filter(({ type }) => type === 'entity.updated')).toHaveLength(ends))
    }
    await end('Before')
    const before = stream.envelopes().length
    const told = () => stream.envelopes().slice(before)
    const setOuter = async (fields: object) => {
      expect((await ada.put(`/manage/categories/${outer.id}`, { ...fields })).statusCode).toBe(200)
    }

    await setOuter({ visibility: 'private' })
    await end('Private')
    const paths = pages.map(({ path }) => path)
    expect(told().map(({ type }) => type)).toEqual(['content.deleted', 'content.deleted', 'entity.updated'])
    expect(
      told()
        .map(({ data }) => data.path)
        .slice(0, 2)
        .sort(),
    ).toEqual([...paths].sort())

    await setOuter({ description: 'Still private' })
    await setOuter({ visibility: 'public' })
    await end('Public')
    const published = told().slice(3)
    expect(published.map(({ type }) => type)).toEqual(['content.published', 'content.published', 'entity.updated'])
    expect(
      published
        .map(({ data }) => data.path)
        .slice(0, 2)
        .sort(),
    ).toEqual([...paths].sort())

    const vault = await ada.newCategory({ name: 'Vault', visibility: 'private' })
    await ada.put(`/manage/categories/${inner.id}`, { parent_id: vault.id })
    await end('Moved')
    expect(
      told()
        .slice(6)
        .map(({ type, data }) => [type, data.title]),
    ).toEqual([
      ['content.deleted', 'Lower'],
      ['entity.updated', undefined],
    ])
    expect(JSON.stringify(stream.envelopes())).not.toMatch(/Draft|Hidden/)
  })

  it('names no profile that is not public in a follow', async () => {
    const [ada, bob] = [await createWriter(test.app), await createWriter(test.app)]
    // Without the creation of the profile, which may reach the stream or not.
    const query = `types=connection.*,entity.updated&source=u/${ada.account.username}`
    const stream = await openStream(base, `/stream/signals?${query}`)
    await bob.put(`/profiles/${bob.profileId}/visibility`, { visibility: 'unlisted' })
    await client(test.app).as(ada).post(`/connections/u/${bob.account.username}`)
    await ada.put('/manage/profile', { bio: 'The end' })
    await soon(() => expect(stream.envelopes().map(({ type }) => type)).toEqual(['entity.updated']))
  })
})
