import { expect, it } from 'vitest'
import { startFollowedService } from '../../test/support/followed-service.ts'
import { postsAfter, publishPost } from './read-feed.ts'

it('publishes posts once, and reads those that are new, over several pages', async () => {
  const service = await startFollowedService({
    feed: { postsPerHour: 1_000, newAccounts: { days: 0 } },
  })
  const token = service.headers.authorization.replace('Bearer ', '')
  const publish = (body: string, key = body.replaceAll(' ', '-').slice(0, 99)) =>
    publishPost(service.url, token, body, key)
  const newSince = async (id?: number) => (await postsAfter(service.url, '/feed/u/ada', id)).map(({ body }) => body)
  expect(await newSince()).toEqual([])

  const first = await publish('one')
  expect(await publish('one')).toEqual(first)
  const second = await publish('two')
  expect(await newSince()).toEqual(['one', 'two'])
  expect(await newSince(first.id)).toEqual(['two'])
  expect(await newSince(second.id)).toEqual([])

  const bodies = Array.from({ length: 120 }, (_, index) => `post ${index}`)
  for (const body of bodies) await publish(body)
  await service.app.inject({ method: 'DELETE', url: `/feed/${second.id}`, headers: service.headers })
  expect(await newSince(second.id), 'the post it knows is deleted').toEqual(bodies)
  expect(await newSince()).toEqual(['one', ...bodies])

  await expect(publish('x'.repeat(501))).rejects.toThrow('not posted: 400')
  await service.close()
})
