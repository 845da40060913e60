import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { header, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const cashWallets = createCashWallets()
let test: Awaited<ReturnType<typeof createTestApp>>
let gateway: FastifyInstance
let shop: Shop

beforeAll(async () => {
  test = await createTestApp({ payments: { rails: [cashRail({ cashWallets })] } })
  gateway = Fastify()
  await gateway.register(test.eep.http, { prefix: '/api' })
  await gateway.ready()
  shop = await openShop(test.app, 'walker')
})
afterAll(async () => {
  await gateway.close()
  await test.close()
})

describe.each([
  ['the clean listener', '', () => test.app as FastifyInstance],
  ['the gateway listener', '/api', () => gateway],
] as const)('on %s', (_, prefix, server) => {
  const get = (path: string, headers: Record<string, string> = {}) => client(server()).get(`${prefix}${path}`, headers)

  it('a public profile is read in the format asked for, its links under the prefix and its URLs without', async () => {
    const json = await get(shop.profile, { accept: 'application/json' })
    expect(json.statusCode).toBe(200)
    expect(json.json()).toMatchObject({ did: shop.did, profile_type: 'person', username: 'walker' })
    expect(header(json, 'x-profile-username')).toBe('walker')
    expect(header(json, 'x-profile-type')).toBe('person')
    expect(header(json, 'vary')).toMatch(/accept\b/i)
    expect(header(json, 'link')).toContain(`<${prefix}${shop.contents}>`)
    expect(json.body).not.toContain('/api/')

    const markdown = await get(shop.profile)
    expect(header(markdown, 'content-type')).toBe('text/markdown; charset=utf-8')
    expect(markdown.body).toMatch(/^---\n/)
    expect((await get('/u/unknown-name')).statusCode).toBe(404)
  })

  it('a gated page returns 402, takes the payment inside the repeated request, and opens', async () => {
    const wallet = `wallet:walk${prefix.replace('/', '-')}`
    const unpaid = await get(shop.paid)
    expect(unpaid.statusCode).toBe(402)
    expect(header(unpaid, 'x-eep-gates-config')).toBe(`${prefix}/eep/gates/${shop.did}`)
    const before = cashWallets.balance(shop.did)
    const paid = await get(shop.paid, cashWallets.answer(header(unpaid, 'payment-required'), { wallet }))
    expect(paid.statusCode).toBe(200)
    expect(paid.body).toContain(SECRET_WORD)
    expect(cashWallets.balance(shop.did) - before).toBe(10_000n)

    // A purchase on one listener opens the page on the other.
    const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    expect((await client(test.app).get(shop.paid, named)).statusCode).toBe(200)
    expect((await client(gateway).get(`/api${shop.paid}`, named)).statusCode).toBe(200)
  })

  it('saves a page as a new version, serves it immediately, and emits its event', async () => {
    const heard: number[] = []
    const silence = test.eep.on('content.page_saved', ({ data }) => void heard.push(data.version))
    const list = (await get(`/manage/pages?profile_id=${shop.profileId}`, shop.headers)).json()
    const page = list.data.find((one: { slug: string }) => one.slug === 'welcome')
    const save = await client(server())
      .as(shop)
      .put(`${prefix}/manage/pages/${page.id}`, { body: `Saved through ${prefix || 'the clean listener'}.` })
    expect(save.statusCode).toBe(200)
    expect(save.json().version).toBe(page.version + 1)
    expect((await get(shop.open)).body).toContain(`Saved through ${prefix || 'the clean listener'}.`)
    await expect.poll(() => heard).toContain(page.version + 1)
    silence()
  })
})
