import { SANDBOX_NETWORK } from '@eep/core/ports'
import { sandbox } from '@eep/core/sandbox'
import { cashRail } from '@eep/core/testing'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'

const KEY = 'a-key-of-the-sandbox-for-tests'
const HOST = new URL(PUBLIC_URL).host
/** A rail that takes play money. */
const PLAY_RAIL = { ...cashRail({ network: SANDBOX_NETWORK }), moneyKind: undefined }
const HTML = { accept: 'text/html' }
const PAGES = ['/sandbox', '/sandbox/mail'] as const

let test: Awaited<ReturnType<typeof createTestApp>>
const lines: string[] = []
beforeAll(async () => {
  const logger = { level: 'info', stream: { write: (line: string) => void lines.push(line) } }
  test = await createTestApp({ payments: { rails: [PLAY_RAIL] }, modules: [sandbox({ key: KEY })] }, { logger })
})
afterAll(() => test.close())

const { get, post } = client(() => test.app, { ...HTML, host: HOST })
const cookieIn = ({ headers }: LightMyRequestResponse) => [headers['set-cookie'] ?? []].flat().join('\n')

/** What the first visit leaves in the browser. */
async function enter(path: string = '/sandbox') {
  const entered = await get(`${path}?key=${KEY}`)
  return { entered, cookie: cookieIn(entered).split(';', 1)[0] ?? '' }
}

/** The parts of an answer that do not differ between two requests to the same path. */
const comparable = ({ statusCode, body, headers }: LightMyRequestResponse, path: string) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  const { 'x-ratelimit-remaining': _left, 'x-ratelimit-reset': _reset, ratelimit: _limit, ...others } = rest
  return { statusCode, body: body.replaceAll(path, '/path'), headers: others }
}

describe('the guarded pages of a sandbox', () => {
  it('turn the key into a cookie on the first visit, and leave it out of the address', async () => {
    for (const path of PAGES) {
      const { entered } = await enter(path)
      expect([entered.statusCode, entered.headers.location]).toEqual([303, path])
      const cookie = cookieIn(entered)
      expect(cookie).toMatch(/^__Host-eep_sandbox=[^;]+; HttpOnly; SameSite=Strict; Path=\/; Secure$/)
      expect(entered.headers['cache-control']).toBe('private, no-store')
    }
  })

  it('keep the other parameters of the address', async () => {
    const entered = await get(`/sandbox?done=done&key=${KEY}`)
    expect(entered.headers.location).toBe('/sandbox?done=done')
  })

  it('open with the cookie', async () => {
    const { cookie } = await enter()
    for (const path of PAGES) {
      const page = await get(path, { cookie })
      expect(page.statusCode, page.body).toBe(200)
      expect(page.headers['cache-control']).toBe('private, no-store')
      expect(page.headers['x-robots-tag']).toBe('noindex')
    }
  })

  it('answer without the key exactly as a path without a route does', async () => {
    for (const accept of ['text/html', 'application/json']) {
      for (const path of [...PAGES, '/sandbox/mail/7d5c2f0e-6f57-4a43-9d5f-7b1f6a1a2b3c']) {
        for (const method of ['GET', 'HEAD', 'POST'] as const) {
          const send = (url: string) =>
            test.app.inject({
              method,
              url,
              headers: {
                accept,
                host: HOST,
                'accept-encoding': 'gzip',
                'content-type': 'application/x-www-form-urlencoded',
              },
              ...(method === 'POST' ? { payload: 'a=b' } : {}),
            })
          const nowhere = path.replace('sandbox', 'nowhere')
          const [refused, unknown] = [await send(path), await send(nowhere)]
          // Nothing takes a POST to these pages.
          expect(comparable(refused, path), `${method} ${path}`).toEqual(comparable(unknown, nowhere))
          expect(refused.statusCode).toBe(404)
        }
      }
    }
  })

  it.each([
    ['a wrong key', { url: '/sandbox?key=another-key-of-the-sandbox' }],
    ['a wrong cookie', { url: '/sandbox', headers: { cookie: '__Host-eep_sandbox=another-key-of-the-sandbox' } }],
    ['an empty key', { url: '/sandbox?key=' }],
  ])('are 404 with %s', async (_name, { url, headers = {} }: { url: string; headers?: Record<string, string> }) => {
    const refused = await get(url, headers)
    expect([refused.statusCode, cookieIn(refused)]).toEqual([404, ''])
  })

  it.each(['localhost', '127.0.0.1', 'evil.example', `${HOST}:8443`, `${HOST}.evil.example`])(
    'are 404 at the host %s, also with the key and the cookie',
    async (host) => {
      const { cookie } = await enter()
      for (const headers of [{ host }, { host, cookie }, { host, 'x-forwarded-host': HOST, cookie }]) {
        for (const url of ['/sandbox', `/sandbox?key=${KEY}`, '/sandbox/mail']) {
          const refused = await get(url, headers)
          expect([refused.statusCode, cookieIn(refused)]).toEqual([404, ''])
        }
      }
    },
  )

  it.each([[{ origin: 'https://evil.example' }], [{ origin: 'null' }], [{ 'sec-fetch-site': 'cross-site' }], [{}]])(
    'refuse forms of other sites, although the browser sends the cookie: %j',
    async (headers) => {
      const { cookie } = await enter()
      const refused = await post('/sandbox/people', 'person=admin', {
        'content-type': 'application/x-www-form-urlencoded',
        cookie,
        ...headers,
      })
      expect(refused.statusCode).toBe(403)
      expect(cookieIn(refused)).toBe('')
    },
  )

  it('refuse a form with the key in its address, and without the cookie', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
    expect((await post(`/sandbox/people?key=${KEY}`, 'person=admin', headers)).statusCode).toBe(403)
  })

  it('write the key into no log', async () => {
    await get(`/sandbox?key=${KEY}`)
    await get(`/sandbox/mail?key=${KEY}&x=y`)
    const written = lines.join('')
    expect(written.includes('"/sandbox/mail')).toBe(true)
    expect(written.includes(KEY)).toBe(false)
  })
})

describe('the people of a sandbox', () => {
  const act = async (person: string) => {
    const { cookie } = await enter()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie, origin: PUBLIC_URL }
    return post('/sandbox/people', `person=${person}`, headers)
  }
  const me = async (answer: LightMyRequestResponse) => {
    const session = answer.cookies.find(({ name }) => name === '__Host-eep_session')?.value
    return (await get('/auth/me', { accept: 'application/json', cookie: `__Host-eep_session=${session}` })).json()
  }

  it('begin as a new buyer, who owns an address, each time another one', async () => {
    const [first, second] = [await act('buyer'), await act('buyer')]
    expect([first.statusCode, first.headers.location]).toEqual([303, '/'])
    const [one, other] = [await me(first), await me(second)]
    expect(one).toMatchObject({ email_verified: true })
    expect(other.id).not.toBe(one.id)
  })

  it('has no administrator where the host lists none, and no owner where there is no demo', async () => {
    const { cookie } = await enter()
    const { body } = await get('/sandbox', { cookie })
    expect(body).toContain('value="buyer"')
    expect(body).not.toMatch(/value="(owner|admin)"/)
    expect((await act('admin')).headers.location).toBe('/sandbox?done=notPossible')
    expect((await act('visitor')).statusCode).toBe(400)
  })
})

describe('a sandbox with a demo and a list of administrators', () => {
  let demo: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    demo = await createTestApp({
      auth: { adminEmails: ['root@example.com'] },
      payments: { rails: [PLAY_RAIL] },
      modules: [sandbox({ owner: 'owner@example.com' })],
    })
    await demo.eep.accounts.register({
      email: 'owner@example.com',
      password: 'Correct horse 7 battery',
      username: 'keeper',
      fullName: null,
    })
    await demo.storage.transaction(async (tx) => {
      const owner = await tx.accounts.get({ email: 'owner@example.com' })
      if (owner) await tx.accounts.save(owner.id, { emailVerified: true, emailOwned: true })
    })
  })
  afterAll(() => demo.close())

  it('lets people continue as its owner and as an administrator, who is created once', async () => {
    const requests = client(demo.app, { ...HTML, host: HOST })
    const address = new URL(demo.eep.sandbox.url)
    expect(address.pathname).toBe('/sandbox')
    expect(address.searchParams.get('key')).toMatch(/^[\w-]{22}$/)
    const cookie = cookieIn(await requests.get(`${address.pathname}${address.search}`)).split(';', 1)[0] ?? ''
    const act = async (person: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie, origin: PUBLIC_URL }
      const answer = await requests.post('/sandbox/people', `person=${person}`, headers)
      const session = answer.cookies.find(({ name }) => name === '__Host-eep_session')?.value
      return (
        await requests.get('/auth/me', { accept: 'application/json', cookie: `__Host-eep_session=${session}` })
      ).json()
    }
    expect(await act('owner')).toMatchObject({ username: 'keeper' })
    const admin = await act('admin')
    expect(admin).toMatchObject({ email: 'root@example.com', isAdmin: true })
    expect((await act('admin')).id).toBe(admin.id)
  })

  it('gives those who registered these addresses earlier neither administrator rights nor the place of the owner', async () => {
    const open = await createTestApp({
      auth: { adminEmails: ['chief@example.com'] },
      payments: { rails: [PLAY_RAIL] },
      modules: [sandbox({ owner: 'seller@example.com' })],
    })
    const password = 'Correct horse 7 battery'
    for (const name of ['chief', 'seller']) {
      const email = `${name}@example.com`
      await client(open.app).post('/auth/register', { email, password, username: name })
    }
    const requests = client(open.app, { ...HTML, host: HOST })
    const { pathname, search } = new URL(open.eep.sandbox.url)
    const cookie = cookieIn(await requests.get(`${pathname}${search}`)).split(';', 1)[0] ?? ''
    expect((await requests.get('/sandbox', { cookie })).body).not.toContain('value="owner"')
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie, origin: PUBLIC_URL }
    expect((await requests.post('/sandbox/people', 'person=admin', headers)).statusCode).toBe(303)
    const again = await client(open.app).post('/auth/login', { email: 'chief@example.com', password })
    await open.close()
    expect(again.statusCode).toBe(401)
  })
})
