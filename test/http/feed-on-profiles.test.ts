import { decode } from '@toon-format/toon'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'

const { database, instance } = await openInstances(OPEN_FEED)
const app = await instance()

let admin: Person
beforeAll(async () => {
  admin = await signUp(app)
  await makeAdministrator(database, admin)
})

interface ProfileFeed {
  readonly feed?: readonly { readonly id: number; readonly body: string }[]
  readonly links: Readonly<Record<string, string>>
}

const pathOf = ({ account }: Person) => `/u/${account.username}`
const json = async (who: Person, reader = client(app)) =>
  (await reader.get(`${pathOf(who)}?format=json`)).json<ProfileFeed>()
const shown = async (who: Person, reader = client(app)) => (await json(who, reader)).feed?.map(({ id }) => id)

describe('a profile', () => {
  it('shows the five newest posts of a profile in every representation', async () => {
    const ada = await signUp(app)
    const posts = []
    for (const number of [1, 2, 3, 4, 5, 6]) posts.unshift(await newPost(ada, `Update ${number} <b>*bold*</b>`))
    const [newest, ...others] = posts
    if (!newest) throw new Error('No post')
    expect((await json(ada)).feed).toEqual(
      [newest, ...others.slice(0, 4)].map(({ id, url, body }) => ({ id, url, body, created_at: expect.any(String) })),
    )
    expect((await json(ada)).links.feed).toBe(`https://profiles.example/feed${pathOf(ada)}`)
    expect(await shown(ada, ada)).toHaveLength(5)
    const toon = (await client(app).get(`${pathOf(ada)}?format=toon`)).body
    // `decode` returns JSON of any shape.
    expect((decode(toon) as unknown as ProfileFeed).feed?.map(({ id }) => id)).toEqual(await shown(ada))
    const markdown = (await client(app).get(pathOf(ada))).body
    expect(markdown).toContain(`(<${newest.url}>): Update 6 `)
    expect(markdown).not.toContain('<b>')
    expect(markdown).not.toContain('Update 1 ')
    const page = (await client(app).get(pathOf(ada), { accept: 'text/html' })).body
    expect(page).toContain(`/feed/posts/${newest.id}"`)
    expect(page).toContain('Update 6 &lt;b&gt;')
    expect(page).not.toContain('<b>*bold*</b>')
    expect(page).not.toContain('Update 1 ')
  })

  it('links a profile to its feeds for feed readers', async () => {
    const ada = await signUp(app)
    const types = { json: 'application/feed+json', atom: 'application/atom+xml' }
    const link = (await client(app).get(pathOf(ada))).headers.link
    for (const [suffix, type] of Object.entries(types)) {
      const url = `/feed${pathOf(ada)}.${suffix}`
      expect(link).toContain(`<${url}>; rel="alternate"; type="${type}"`)
      expect((await client(app).get(url)).headers['content-type']).toContain(type)
    }
    const page = (await client(app).get(pathOf(ada), { accept: 'text/html' })).body
    expect(page).toMatch(/<link rel="alternate" type="application\/atom\+xml" href="[^"]*\.atom">/)
  })

  it('shows a new post immediately, and no deleted or hidden post', async () => {
    const ada = await signUp(app)
    expect(await shown(ada)).toEqual([])
    const [first, second] = [await newPost(ada), await newPost(ada)]
    expect(await shown(ada)).toEqual([second.id, first.id])
    await admin.put(`/admin/feed/${second.id}`, { hidden: true })
    expect(await shown(ada)).toEqual([first.id])
    await admin.put(`/admin/feed/${second.id}`, { hidden: false })
    expect(await shown(ada)).toEqual([second.id, first.id])
    await ada.delete(`/feed/${second.id}`)
    expect(await shown(ada)).toEqual([first.id])
  })

  it('shows no posts of a profile that is not public', async () => {
    const ada = await signUp(app)
    const { id } = await newPost(ada)
    const change = async (visibility: string) => {
      const changed = await ada.put(`/profiles${pathOf(ada)}`, { visibility })
      expect(changed.statusCode, changed.body).toBe(200)
    }
    await change('unlisted')
    expect(await shown(ada)).toEqual([])
    expect((await client(app).get(pathOf(ada))).headers.link).not.toContain('.atom')
    await change('public')
    expect(await shown(ada)).toEqual([id])
  })

  it('shows no feed when the module is switched off', async () => {
    const ada = await signUp(app)
    await newPost(ada)
    const without = await instance({ feed: false })
    const profile = await json(ada, client(without))
    expect([profile.feed, profile.links.feed]).toEqual([undefined, undefined])
    expect((await client(without).get(pathOf(ada))).headers.link).not.toContain('/feed/')
    expect((await client(without).get('/llms.txt')).body).not.toContain('/feed')
  })

  it('is served without its posts while they cannot be read, and with them again after that', async () => {
    const ada = await signUp(app)
    const { id } = await newPost(ada)
    let isBroken = true
    const { list } = database.storage.read.feed
    const feed = new Proxy(database.storage.read.feed, {
      get: (target, property) =>
        property === 'list'
          ? (...query: Parameters<typeof list>) =>
              isBroken ? Promise.reject(new Error('The posts cannot be read')) : target.list(...query)
          : Reflect.get(target, property),
    })
    const storage = { ...database.storage, read: { ...database.storage.read, feed } }
    const reader = client(await instance({ storage }))
    const partly = await reader.get(`${pathOf(ada)}?format=json`)
    expect([partly.statusCode, partly.json<ProfileFeed>().feed]).toEqual([200, undefined])
    isBroken = false
    expect(await shown(ada, reader)).toEqual([id])
  })
})

it('lists the feed in the documents for agents', async () => {
  expect((await client(app).get('/llms.txt')).body).toContain('https://profiles.example/feed)')
  expect((await client(app).get('/discover')).body).toContain('`GET /feed`')
})
