import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { createCashApp, openShop, SECRET_WORD } from '../support/shop.ts'

type Service = Awaited<ReturnType<typeof createCashApp>>

const LISTS = ['/sitemap.xml', '/llms.txt', '/llms-full.txt']

const listed = async (app: FastifyInstance, url: string) => {
  const response = await client(app).get(url)
  expect(response.statusCode, url).toBe(200)
  return response.body
}

/** The lists that name an address; a list names it whole, not as the beginning of another. */
async function listsWith(app: FastifyInstance, path: string): Promise<string[]> {
  const bodies = await Promise.all(LISTS.map((url) => listed(app, url)))
  const whole = new RegExp(`${PUBLIC_URL}${path}[<)\\s]`)
  return LISTS.filter((_, index) => whole.test(bodies[index] ?? ''))
}

describe('lists of everything public', () => {
  let service: Service
  let app: FastifyInstance
  let now = new Date()
  const aMinuteLater = () => {
    now = new Date(now.getTime() + 61_000)
  }
  beforeAll(async () => {
    service = await createCashApp({ clock: () => now })
    app = service.app
  })
  afterAll(() => service.close())

  it.each([
    ['/sitemap.xml', 'application/xml'],
    ['/sitemap-site.xml', 'application/xml'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/llms-full.txt', 'text/plain; charset=utf-8'],
  ])('serves %s as %s, with an ETag, cached for a minute', async (url, type) => {
    await signUp(app)
    const first = await client(app).get(url)
    expect(first.headers['content-type']).toBe(type)
    expect(first.headers['cache-control']).toBe('public, max-age=60')
    const again = await client(app).get(url, { 'if-none-match': String(first.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    const head = await client(app).send('HEAD', url)
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers.etag).toBe(first.headers.etag)
  })

  it('lists a new profile and its pages within a minute', async () => {
    const { profile, open, paid } = await openShop(app, 'grace')
    aMinuteLater()
    for (const path of [profile, open, paid]) expect(await listsWith(app, path), path).toEqual(LISTS)
  })

  it('does not list a profile that has neither a bio nor a page, which answers at its address', async () => {
    const { account } = await signUp(app)
    const path = `/u/${account.username}`
    aMinuteLater()
    expect(await listsWith(app, path)).toEqual([])
    expect((await client(app).get(path)).statusCode).toBe(200)
  })

  it('lists the price and the excerpt of gated pages, and never their content', async () => {
    await openShop(app, 'mary', { amount: 0.05, per: 'week' })
    aMinuteLater()
    for (const url of ['/llms.txt', '/llms-full.txt']) {
      const body = await listed(app, url)
      expect(body).toContain('gated, 0.05 USDC per week')
      expect(body).toContain('A taste of it.')
      expect(body).not.toContain(SECRET_WORD)
    }
    expect(await listed(app, '/llms-full.txt')).toContain('Everybody may read this.')
  })

  it('removes the content of newly gated pages immediately', async () => {
    const writer = await createWriter(app, 'nettie')
    await writer.newPage({ title: 'Now free', body: 'Soon to be sold' })
    aMinuteLater()
    expect(await listed(app, '/llms-full.txt')).toContain('Soon to be sold')
    await writer.put('/eep/gates/did:web:profiles.example:u:nettie', {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        reader: {
          requirements: [{ type: 'payment', amount: 1, currency: 'usd', per: 'once' }],
          access: ['content.*'],
        },
      },
    })
    expect(await listed(app, '/llms-full.txt')).not.toContain('Soon to be sold')
  })

  it.each(['unlisted', 'private'])('removes a profile that becomes %s immediately', async (visibility) => {
    const { profile, open, profileId, headers } = await openShop(app, `hidden-${visibility}`)
    aMinuteLater()
    expect(await listsWith(app, open)).toEqual(LISTS)
    const url = `/profiles/${profileId}/visibility`
    const { statusCode } = await client(app).put(url, { visibility }, headers)
    expect(statusCode).toBe(200)
    for (const path of [profile, open]) expect(await listsWith(app, path), path).toEqual([])
  })

  it('removes the profiles of an account in deletion immediately', async () => {
    const { profile, headers } = await openShop(app, 'leaving')
    aMinuteLater()
    expect(await listsWith(app, profile)).toEqual(LISTS)
    const payload = { password: PASSWORD }
    const { statusCode } = await client(app).send('DELETE', '/auth/account', payload, headers)
    expect(statusCode).toBe(200)
    expect(await listsWith(app, profile)).toEqual([])
  })

  it('removes pages that are withdrawn, deleted or hidden immediately', async () => {
    const writer = await createWriter(app, 'editor')
    const attic = await writer.newCategory({ name: 'Attic', visibility: 'private' })
    const pages = []
    for (const title of ['One', 'Two', 'Three', 'Four']) pages.push(await writer.newPage({ title }))
    const hidden = await writer.newPage({ title: 'Hidden', category_id: attic.id })
    const draft = await writer.newPage({ title: 'Draft', status: 'draft' })
    aMinuteLater()
    const [one, two, three, four] = pages
    if (!one || !two || !three || !four) throw new Error('no pages were made')
    for (const { path } of [one, two, three]) expect(await listsWith(app, path), path).toEqual(LISTS)
    for (const { path } of [hidden, draft]) expect(await listsWith(app, path), path).toEqual([])

    const send = (method: 'PUT' | 'DELETE', { id }: { id: number }, payload?: object) =>
      writer.send(method, `/manage/pages/${id}`, payload)
    for (const response of [
      await send('PUT', one, { status: 'draft' }),
      await send('DELETE', two),
      await send('PUT', three, { category_id: attic.id }),
    ]) {
      expect(response.statusCode).toBe(200)
    }
    for (const { path } of [one, two, three]) expect(await listsWith(app, path), path).toEqual([])
    expect(await listsWith(app, four.path)).toEqual(LISTS)
  })

  it('reads the storage once a minute for any number of requests', async () => {
    aMinuteLater()
    const asked: string[] = []
    const { read } = service.storage
    const listParts = read.siteIndex.listParts
    const listProfiles = read.siteIndex.listProfiles
    Object.assign(read.siteIndex, {
      listParts: (...args: Parameters<typeof listParts>) => {
        asked.push('listParts')
        return listParts(...args)
      },
      listProfiles: (...args: Parameters<typeof listProfiles>) => {
        asked.push('listProfiles')
        return listProfiles(...args)
      },
    })
    await Promise.all(Array.from({ length: 20 }, () => listed(app, '/sitemap.xml')))
    await Promise.all(Array.from({ length: 20 }, () => listed(app, '/llms.txt')))
    Object.assign(read.siteIndex, { listParts, listProfiles })
    expect(asked.sort()).toEqual(['listParts', 'listParts', 'listProfiles'])
  })

  it('rejects a foreign cursor', async () => {
    for (const url of ['/llms.txt?cursor=nonsense', '/llms-full.txt?cursor=e30']) {
      const response = await client(app).get(url)
      expect(response.statusCode).toBe(400)
      expect(response.json().error.code).toBe('invalid_cursor')
    }
  })

  it('returns 404 for an unknown sitemap', async () => {
    expect((await client(app).get('/sitemap-profiles-999999.xml')).statusCode).toBe(404)
    expect((await client(app).get('/sitemap-pages-x.xml')).statusCode).toBe(404)
    expect((await client(app).get('/sitemap-pages--1.xml')).statusCode).toBe(404)
    expect((await client(app).get('/sitemap-drafts-0.xml')).statusCode).toBe(404)
  })
})

describe('root files', () => {
  it('leaves the files at the root to the host with rootFiles: false', async () => {
    const bare = await createCashApp({ discovery: { rootFiles: false } })
    for (const url of ['/', '/robots.txt', '/llms.txt', '/llms-full.txt', '/sitemap.xml', '/sitemap-site.xml']) {
      expect((await client(bare.app).get(url)).statusCode, url).toBe(404)
    }
    for (const url of ['/agents.txt', '/docs', '/.well-known/agent-card.json', '/.well-known/eep/agent-guide.md']) {
      const { statusCode, body } = await client(bare.app).get(url)
      expect(statusCode, url).toBe(200)
      expect(body, url).not.toMatch(/sitemap\.xml"|llms\.txt"|Sitemap:|LLMs:/)
    }
    await bare.close()
  })
})
