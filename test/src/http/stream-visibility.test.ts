import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD, post, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { type Envelope, listen, openStream } from '../support/streams.ts'

const soon = (check: () => void) => vi.waitFor(check, { timeout: 120_000, interval: 5 })

let test: Awaited<ReturnType<typeof createTestApp>>
let base: string
let admin: Record<string, string>
beforeAll(async () => {
  test = await createTestApp({ signals: { anonymousStreams: 100 } })
  base = await listen(test.app)
  const root = await signUp(test.app)
  await test.storage.transaction((tx) => tx.accounts.save(root.account.id, { isAdmin: true }))
  admin = root.headers
})
afterAll(() => test.close())

/** The ways of hiding a profile, and the event that other readers get. */
const STATES: readonly {
  readonly state: string
  readonly told: readonly string[]
  hide(victim: Writer): PromiseLike<{ readonly statusCode: number; readonly body: string }>
  /** Something that happens to it afterwards, where it still exists. */
  after?(victim: Writer): PromiseLike<unknown>
}[] = [
  ...(['private', 'unlisted'] as const).map((visibility) => ({
    state: visibility,
    told: ['entity.deleted'],
    hide: (victim: Writer) => victim.send('PUT', `/profiles/${victim.profileId}/visibility`, { visibility }),
    after: (victim: Writer) => victim.newPage({ title: 'After' }),
  })),
  {
    state: 'deleted',
    told: ['entity.deleted'],
    hide: ({ send, account }) => send('DELETE', `/profiles/u/${account.username}`),
  },
  {
    state: 'of an account that is to be deleted',
    told: ['entity.deleted'],
    hide: ({ send }) => send('DELETE', '/auth/account', { password: PASSWORD }),
  },
  {
    state: 'of a banned account',
    told: [],
    hide: ({ account }) =>
      test.app.inject({
        method: 'PUT',
        url: `/admin/users/${account.id}`,
        headers: admin,
        payload: { banned: true },
      }),
  },
]

/** Reads events without an account, from now on or after one. */
const SURFACES: readonly {
  readonly surface: string
  path(reader: Writer): string
  headers(reader: Writer): Record<string, string>
}[] = [
  { surface: '/stream/signals', path: () => '/stream/signals', headers: () => ({}) },
  {
    surface: '/stream/signals/following',
    path: () => '/stream/signals/following',
    headers: ({ headers }) => headers,
  },
  { surface: '/eep/stream', path: () => '/eep/stream', headers: ({ headers }) => headers },
]

const didOf = ({ account }: Writer) => `did:web:profiles.example:u:${account.username}`

describe.each(STATES)('a profile that is $state', ({ told, hide, after }) => {
  it('sends other readers nothing about a hidden profile on any surface, live or in replay, except that it is gone', async () => {
    const [victim, stranger, bystander] = [
      await createWriter(test.app),
      await createWriter(test.app),
      await createWriter(test.app),
    ]
    for (const { account } of [victim, bystander]) {
      await post(test.app, `/connections/u/${account.username}`, undefined, stranger.headers)
    }
    const first = await openStream(base, '/stream/signals?types=content.*')
    await bystander.newPage({ title: 'Start' })
    await soon(() => expect(first.envelopes().length).toBeGreaterThan(0))
    const start = first.envelopes()[0]?.id ?? ''
    await victim.newPage({ title: 'Before' })
    const ofVictim = (envelopes: readonly Envelope[]) =>
      envelopes.filter((each) => JSON.stringify(each).includes(victim.account.username))

    const live = []
    for (const { path, headers } of SURFACES) {
      live.push(await openStream(base, path(stranger), { ...headers(stranger), 'last-event-id': start }))
    }
    for (const stream of live) {
      await soon(() => expect(ofVictim(stream.envelopes()).map(({ data }) => data.title)).toContain('Before'))
    }
    const hidden = await hide(victim)
    expect(hidden.statusCode, hidden.body).toBe(200)
    await after?.(victim)
    await bystander.newPage({ title: 'End' })

    const isEnd = ({ data }: Envelope) => data.title === 'End'
    for (const [index, stream] of live.entries()) {
      await soon(() => expect(stream.envelopes().some(isEnd)).toBe(true))
      const seen = ofVictim(stream.envelopes())
      const since = seen.slice(seen.findLastIndex(({ data }) => data.title === 'Before') + 1)
      expect(
        since.map(({ type }) => type),
        SURFACES[index]?.surface,
      ).toEqual(told)
    }
    for (const { surface, path, headers } of SURFACES) {
      const replay = await openStream(base, path(stranger), { ...headers(stranger), 'last-event-id': start })
      await soon(() => expect(replay.envelopes().some(isEnd)).toBe(true))
      expect(
        ofVictim(replay.envelopes()).map(({ type }) => type),
        surface,
      ).toEqual(told)
    }
    const history = await test.app.inject({
      url: `/eep/events?limit=1000&since=${start}`,
      headers: stranger.headers,
    })
    const { events } = history.json<{ events: Envelope[] }>()
    expect(events.some(isEnd)).toBe(true)
    expect(ofVictim(events).map(({ type }) => type)).toEqual(told)
    const gone = ofVictim(events)[0]
    if (gone) expect(gone).toMatchObject({ source: didOf(victim), data: { entity_id: victim.profileId } })

    const named = await test.app.inject({ url: `/stream/signals?source=u/${victim.account.username}`, method: 'HEAD' })
    expect([200, 400]).toContain(named.statusCode)
  })
})

describe('content that is not public', () => {
  it('never appears: drafts, archived pages, and pages in private categories', async () => {
    const ada = await createWriter(test.app)
    const stream = await openStream(base, `/stream/signals?source=u/${ada.account.username}`)
    const category = await ada.newCategory({ name: 'Secret', visibility: 'private' })
    const hidden = await ada.newPage({ title: 'Hidden', category_id: category.id })
    await ada.putPage(hidden.id, { body: 'more' })
    await ada.send('DELETE', `/manage/pages/${hidden.id}`)
    const draft = await ada.newPage({ title: 'Draft', status: 'draft' })
    await ada.putPage(draft.id, { title: 'Still a draft' })
    await ada.send('DELETE', `/manage/pages/${draft.id}`)
    const page = await ada.newPage({ title: 'Open' })
    await ada.putPage(page.id, { category_id: category.id })
    await ada.send('PUT', '/manage/profile', { bio: 'The end' })
    await soon(() => expect(stream.envelopes().at(-1)?.type).toBe('entity.updated'))
    const told = stream.envelopes().map(({ type, data }) => [type, data.title])
    expect(told.filter(([type]) => type === 'content.published').length).toBeLessThan(2)
    expect(told.slice(-2)).toEqual([
      ['content.deleted', 'Open'],
      ['entity.updated', undefined],
    ])
    expect(JSON.stringify(told)).not.toMatch(/Hidden|draft/i)
  })

  it('is not named by a follow of a profile that is not public', async () => {
    const [ada, bob] = [await createWriter(test.app), await createWriter(test.app)]
    const stream = await openStream(base, `/stream/signals?source=u/${ada.account.username}`)
    await bob.send('PUT', `/profiles/${bob.profileId}/visibility`, { visibility: 'unlisted' })
    await post(test.app, `/connections/u/${bob.account.username}`, undefined, ada.headers)
    await ada.send('PUT', '/manage/profile', { bio: 'The end' })
    await soon(() => expect(stream.envelopes().map(({ type }) => type)).toEqual(['entity.updated']))
  })
})
