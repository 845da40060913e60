import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { search } from '@eep/core/search'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { openStorage, PUBLIC_URL, SECRET, type TestApp, type TestStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const cashWallets = createCashWallets()
let database: TestStorage
let app: TestApp
let shop: Shop

beforeAll(async () => {
  database = await openStorage()
  app = Fastify()
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    payments: { rails: [cashRail({ cashWallets })], payerProof: 'lookup' },
  })
  await app.ready()
  await app.eep.start()
  shop = await openShop(app, 'ada')
})
afterAll(async () => {
  await app.close()
  await database.close()
})

describe('a service without features', () => {
  it('has no module that nothing requires', () => {
    expect(app.eep.modules).toContain('paywall')
    const features = everything().map(({ name }) => name)
    expect(app.eep.modules.filter((name) => name === 'jobs' || features.includes(name))).toEqual([])
  })

  it('serves profiles and pages in every format', async () => {
    for (const url of [shop.profile, shop.open]) {
      for (const suffix of ['.md', '.json', '.toon']) {
        expect((await client(app).get(`${url}${suffix}`)).statusCode).toBe(200)
      }
      const page = await client(app).get(url, { accept: 'text/html' })
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    }
  })

  it('sells a page, and serves it again to its buyer', async () => {
    const offered = await client(app).get(shop.paid)
    expect(offered.statusCode).toBe(402)
    const paid = cashWallets.answer(String(offered.headers['payment-required']), { wallet: 'wallet:bert' })
    const bought = await client(app).get(shop.paid, paid)
    expect([bought.statusCode, bought.body.includes(SECRET_WORD)]).toEqual([200, true])
    const payer = { 'x-eep-payer-wallet': 'wallet:bert', 'x-eep-payer-network': 'cash:test' }
    expect((await client(app).get(shop.paid, payer)).body).toContain(SECRET_WORD)
  })

  it('responds with 404 for the routes of features', async () => {
    const answers = await Promise.all(
      ['/search?q=a', '/feed', '/notifications', '/memory/sessions', '/jobs', '/subscription'].map(async (url) => {
        const response = await shop.get(url)
        return [url, response.statusCode, codeOf(response)]
      }),
    )
    expect(answers.filter(([, status, code]) => status !== 404 || code !== 'not_found')).toEqual([])
  })

  it('describes and announces only what it has', async () => {
    const { paths } = (await client(app).get('/docs/openapi.json')).json()
    const listed = Object.keys(paths)
    expect(listed).toContain('/manage/pages')
    expect(
      listed.filter((path) => /^\/(search|feed|stream|ws|files|media|memory|workspaces|messages)/.test(path)),
    ).toEqual([])
    const guide = (await client(app).get('/llms.txt')).body
    expect(guide).not.toMatch(/\/(search|feed|stream)\b/)
  })

  it('lists no limits that none of its routes has', async () => {
    const { rate_limits } = (await client(app).get('/discover.json')).json()
    const groups = rate_limits.groups.map(({ group }: { readonly group: string }) => group)
    expect(groups).toContain('auth')
    expect(groups).not.toContain('search')
  })

  it('refuses a feature whose required feature is missing', async () => {
    const other = Fastify()
    const { archives } = await import('@eep/core/archives')
    const registered = other.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.another(),
      modules: [archives()],
    })
    await expect(registered).rejects.toThrow(
      `The module "archives" requires "files", which is not in "modules": import { files } from '@eep/core/files'`,
    )
    await other.close()
  })

  it('responds with 503 for a feature that is there without its configuration', async () => {
    const other = Fastify()
    await other.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.another(),
      modules: [search()],
    })
    await other.ready()
    const response = await client(other).get('/search?q=a')
    expect([response.statusCode, codeOf(response)]).toEqual([503, 'search_disabled'])
    await other.close()
  })
})
