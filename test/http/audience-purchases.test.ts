import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { audience, BOT, classify, payment, putGate } from '../support/readers.ts'
import { createCashApp, header, openShop, SECRET_WORD } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shops = 0

beforeAll(async () => {
  test = await createCashApp({ audiences: { classify } })
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const newShop = () => openShop(test.app, `courant-${++shops}`)
const settles = () => test.cashWallets.calls.filter((call) => call === 'settle').length

/** Answers the offer that a reader gets. */
const proofFor = async (url: string, wallet: string, reader: Record<string, string>) =>
  test.cashWallets.answer(header(await get(url, reader), 'payment-required'), { wallet })

describe('a purchase for a time', () => {
  it('is recorded with the longest audience that a gate can name', async () => {
    const shop = await newShop()
    const agents = (count: number) =>
      Array.from({ length: count }, () => `agent:https://a.example/${randomBytes(366).toString('base64url')}`)
    const longest = { ...audience('verified_bots', ...agents(19)), none_of: agents(20) }
    expect(longest.none_of[0]).toHaveLength(512)
    await putGate(shop, { cheap: { requirements: [longest, payment(0.01)], access: ['content.notes.*'] } })
    const before = settles()
    const proof = await proofFor(shop.paid, 'wallet:longest', BOT)
    const paid = await get(shop.paid, { ...BOT, ...proof })
    expect(paid.statusCode, paid.body).toBe(200)
    expect(paid.body).toContain(SECRET_WORD)
    expect(settles()).toBe(before + 1)
  })
})

describe('a purchase for one request', () => {
  it('opens the field that was bought, and no field that is sold apart', async () => {
    for (const per of ['request', 'day']) {
      const shop = await newShop()
      const path = shop.profile.replace('/u/', '/profiles/u/')
      const saved = await shop.put(path, { bio: 'The bio is cheap', keywords: ['dear-keyword'] })
      expect(saved.statusCode, saved.body).toBe(200)
      await putGate(shop, {
        cheap: { requirements: [audience('verified_bots'), payment(0.01, per)], access: ['profile.*'] },
        dear: { requirements: [payment(5, per)], access: ['profile.keywords'] },
      })
      const url = `${shop.profile}.json?fields=bio`
      const proof = await proofFor(url, `wallet:fields-${per}`, BOT)
      const paid = await get(url, { ...BOT, ...proof })
      expect(paid.statusCode, paid.body).toBe(200)
      expect(paid.body).toContain('The bio is cheap')
      expect(paid.body).not.toContain('dear-keyword')
    }
  })
})
