import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { openCachingProxy } from '../support/caching-proxy.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'
import { image, sellOnly, sent } from '../support/pictures.ts'
import { createCashApp } from '../support/shop.ts'

const SESSION = '__Host-eep_session'

let test: Awaited<ReturnType<typeof createCashApp>>
let writer: Writer
let ada: Person
let berta: Person
let pages: readonly string[]

beforeAll(async () => {
  test = await createCashApp(OPEN_FEED)
  writer = await createWriter(test.app, 'viewed-writer')
  const page = await writer.newPage({ body: 'Words' })
  const post = await newPost(writer)
  ada = await signUp(test.app, 'ada-viewer')
  berta = await signUp(test.app, 'berta-viewer')
  pages = ['/', '/u/viewed-writer', page.path, writer.contents, '/feed', `/feed/posts/${post.id}`]
})
afterAll(() => test.close())

async function browserOf({ account }: Person) {
  const tab = openBrowser(test.app)
  expect(leadsTo(await tab.submit('/login', { email: account.email, password: PASSWORD }))).toEqual([303, '/dashboard'])
  return tab
}

const cookieOf = (tab: { readonly jar: Readonly<Record<string, string>> }) => `${SESSION}=${tab.jar[SESSION]}`
const HTML = { accept: 'text/html' }

describe('a page of a signed-in person', () => {
  it('has a menu with the pages of the person, and a form that signs out', async () => {
    const tab = await browserOf(ada)
    for (const path of pages) {
      const { statusCode, body, headers } = await tab.open(path)
      expect([path, statusCode]).toEqual([path, 200])
      expect(body).toContain('Menu of <bdi>ada-viewer</bdi>')
      for (const link of ['/u/ada-viewer', '/dashboard', '/feed', '/messages', '/purchases', '/account']) {
        expect(body, path).toContain(`<li><a href="${link}">`)
      }
      expect(body).toContain('<form method="post" action="/logout">')
      expect(headers['content-security-policy']).toContain("form-action 'self'")
      expect([headers['cache-control'], headers.etag]).toEqual(['private, no-store', undefined])
      expect(String(headers.vary)).toContain('Cookie')
    }
  })

  it('is the page of anonymous visitors for a session that ended, was invented or came as a bearer token', async () => {
    const tab = await browserOf(ada)
    const cookie = cookieOf(tab)
    await tab.submit('/logout', {})
    for (const path of pages) {
      const stranger = await client(test.app).get(path, HTML)
      for (const headers of [{ cookie }, { cookie: `${SESSION}=invented` }, berta.headers]) {
        const { body, headers: got } = await client(test.app).get(path, { ...HTML, ...headers })
        expect(body === stranger.body, `${path} ${JSON.stringify(headers)}`).toBe(true)
        expect([got.etag, got['cache-control']]).toEqual([stranger.headers.etag, stranger.headers['cache-control']])
      }
    }
  })

  it('contains nothing of the person in any other format', async () => {
    const tab = await browserOf(ada)
    await ada.post('/connections/u/viewed-writer')
    for (const path of pages) {
      for (const format of ['json', 'markdown', 'toon']) {
        const address = `${path}?format=${format}`
        const [own, stranger] = [await tab.open(address), await client(test.app).get(address)]
        expect(own.body === stranger.body, address).toBe(true)
        expect(own.headers.etag).toBe(stranger.headers.etag)
      }
    }
  })

  it('answers no conditional request with the page of another person', async () => {
    const [{ headers }] = [await client(test.app).get('/u/viewed-writer', HTML)]
    const tab = await browserOf(ada)
    const own = await tab.open('/u/viewed-writer', { 'if-none-match': String(headers.etag) })
    expect([own.statusCode, own.body.includes('Menu of')]).toEqual([200, true])
  })

  it('has the menu on errors too, which no cache stores', async () => {
    const tab = await browserOf(ada)
    const { statusCode, body, headers } = await tab.open('/u/unknown-name')
    expect([statusCode, headers['cache-control']]).toEqual([404, 'private, no-store'])
    expect(body).toContain('Menu of')
    const stranger = await client(test.app).get('/u/unknown-name', HTML)
    expect(stranger.body).not.toContain('Menu of')
    expect(String(stranger.headers.vary)).toContain('Cookie')
  })
})

describe('the picture in the menu of a signed-in person', () => {
  const menuOf = (body: string) => /<summary>(<(?:img|span) class="face"[^>]*>)/.exec(body)?.[1]

  it('is that of its profile, also while its gate closes it, and a letter without one', async () => {
    const person = await createWriter(test.app)
    const { username } = person.account
    const tab = await browserOf(person)
    expect(menuOf((await tab.open('/feed')).body)).toMatch(/^<span/)
    const id = await sent(test.app, person, await image('#aa5500'), 'face.png')
    const saved = await person.put(`/profiles/u/${username}`, { avatar_url: `https://profiles.example/files/${id}` })
    expect(saved.statusCode, saved.body).toBe(200)
    const shown = expect.stringContaining(`<img class="face" src="/files/${id}" alt=""`)
    for (const path of ['/feed', '/dashboard', '/u/viewed-writer', '/unknown']) {
      expect([path, menuOf((await tab.open(path)).body)]).toEqual([path, shown])
    }
    await sellOnly(person, ['profile.avatar_url', `files.f${id}`])
    expect(menuOf((await tab.open('/feed')).body)).toEqual(shown)
    expect((await tab.open(`/files/${id}`)).statusCode).toBe(200)
    const other = await browserOf(berta)
    expect(menuOf((await other.open('/feed')).body)).toMatch(/^<span/)
  })

  it('is a letter when the picture is on another site that pages do not load', async () => {
    const person = await createWriter(test.app)
    await person.put(`/profiles/u/${person.account.username}`, { avatar_url: 'https://pictures.example/ada.png' })
    expect(menuOf((await (await browserOf(person)).open('/feed')).body)).toMatch(/^<span/)
  })
})

describe('a shared cache that obeys Vary and Cache-Control', () => {
  it('never answers a person with the page of another one, or an anonymous visitor with the page of a person', async () => {
    const proxy = openCachingProxy(test.app)
    const [first, second] = [await browserOf(ada), await browserOf(berta)]
    const who = [
      ['ada-viewer', { ...HTML, cookie: cookieOf(first) }],
      ['berta-viewer', { ...HTML, cookie: cookieOf(second) }],
      [undefined, HTML],
    ] as const
    const names = ['ada-viewer', 'berta-viewer']
    for (const path of pages) {
      for (const order of [who, who.toReversed(), who]) {
        for (const [name, headers] of order) {
          const { body } = await proxy.get(path, headers)
          for (const other of names) {
            expect(body.includes(`Menu of <bdi>${other}</bdi>`), `${path} for ${name}`).toBe(other === name)
          }
        }
      }
    }
    expect(proxy.hits()).toBeGreaterThan(0)
  })

  it('keeps the header of anonymous visitors from a browser that has signed in', async () => {
    const proxy = openCachingProxy(test.app)
    expect((await proxy.get('/u/viewed-writer', HTML)).body).not.toContain('Menu of')
    const tab = await browserOf(ada)
    expect((await proxy.get('/u/viewed-writer', { ...HTML, cookie: cookieOf(tab) })).body).toContain('Menu of')
  })
})
