import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { didOf, makeAdministrator, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { type Client, client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { SURFACES } from '../support/event-surfaces.ts'
import { newPost, OPEN_FEED, type Post } from '../support/feed.ts'
import { type Envelope, listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let base: string
let admin: Client
beforeAll(async () => {
  test = await createTestApp({
    ...OPEN_FEED,
    signals: { anonymousStreams: 100 },
    limits: { plans: { community: { concurrentStreams: 100 } } },
    http: { allowPrivateHosts: ['127.0.0.1'] },
  })
  base = await listen(test.app)
  const root = await signUp(test.app)
  await makeAdministrator(test, root)
  admin = client(test.app).as(root)
})
afterAll(() => test.close())

const isOf =
  (type: string, { id }: Post) =>
  (envelope: Envelope) =>
    envelope.type === type && envelope.data.post_id === id

/** The ways in which a post goes. */
const WAYS: Readonly<Record<string, (author: Writer, post: Post) => ReturnType<Client['delete']>>> = {
  'its author deletes': (author, { id }) => author.delete(`/feed/${id}`),
  'an administrator hides': (_, { id }) => admin.put(`/admin/feed/${id}`, { hidden: true }),
}

describe.each(Object.keys(WAYS))('a post that %s', (way) => {
  it('is published live, and replayed only as a removal', async () => {
    const [author, bystander, reader] = await Promise.all([1, 2, 3].map(() => createWriter(test.app)))
    if (!author || !bystander || !reader) throw new Error('Three writers')
    for (const { account } of [author, bystander]) await reader.post(`/connections/u/${account.username}`)
    const first = await openStream(base, '/stream/signals?types=feed.*')
    const begun = await newPost(bystander)
    await soon(() => expect(first.envelopes().some(isOf('feed.posted', begun))).toBe(true))
    const start = first.envelopes().find(isOf('feed.posted', begun)) as Envelope
    first.close()
    const followed = { app: test.app, base, reader, sources: [didOf(author), didOf(bystander)] }
    const followers = await Promise.all(
      SURFACES.filter(({ name }) => name !== '/ws/messages').map(async (surface) => ({
        name: surface.name,
        follower: await surface.follow(followed, start.id),
      })),
    )

    const [post, kept] = [await newPost(author, 'A #regretted post'), await newPost(author, 'A #lasting post')]
    for (const { follower } of followers) await follower.settle(isOf('feed.posted', kept))
    const removed = await WAYS[way]?.(author, post)
    expect(removed?.statusCode, removed?.body).toBe(200)
    const end = await newPost(bystander)
    for (const { name, follower } of followers) {
      const of = (envelopes: readonly Envelope[]) =>
        envelopes.filter(({ data }) => data.post_id === post.id).map(({ type }) => type)
      await follower.settle(isOf('feed.posted', end))
      // The history is read again each time.
      const live = name === '/eep/events' ? ['feed.removed'] : ['feed.posted', 'feed.removed']
      expect([name, of(follower.envelopes())]).toEqual([name, live])

      const replay = await follower.again(start)
      await replay.settle(isOf('feed.posted', end))
      expect([name, of(replay.envelopes())]).toEqual([name, ['feed.removed']])
      expect(replay.envelopes().some(isOf('feed.posted', kept))).toBe(true)
      expect(JSON.stringify(replay.envelopes())).not.toContain('regretted')
      await replay.close()
      await follower.close()
    }
  }, 300_000)
})
