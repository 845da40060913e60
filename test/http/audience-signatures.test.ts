import { afterAll, describe, expect, it } from 'vitest'
import { PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp, header, openShop, SECRET_WORD } from '../support/shop.ts'
import { newSigningKey, openDirectory, signedHeaders } from '../support/signers.ts'

const key = await newSigningKey()
const directory = await openDirectory([key])
const test = await createCashApp({ http: { allowPrivateHosts: [directory.host] } })
afterAll(() => Promise.all([test.close(), directory.close()]))

const agent = directory.origin
const host = new URL(PUBLIC_URL).host
/** Each signature has a new nonce. */
const signed = async () => ({ host, ...(await signedHeaders({ key, agent })) })
const { get } = client(() => test.app)
const payment = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }
const shop = await openShop(test.app, 'signpost')
const use = async (requirements: readonly object[]) => {
  const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.*'] },
      programs: { requirements, access: ['content.notes.*'] },
    },
  })
  expect(saved.statusCode, saved.body).toBe(200)
}

describe('a program that signs its request', () => {
  it('opens what its identity opens, with each nonce once for each resource', async () => {
    await use([{ type: 'x-audience', any_of: [`agent:${agent}`] }])
    expect((await get(shop.paid)).statusCode).toBe(403)
    const headers = await signed()
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(shop.paid, headers)))
    const opened = answers.filter(({ statusCode }) => statusCode === 200)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.body).toContain(SECRET_WORD)
    for (const refused of answers.filter(({ statusCode }) => statusCode !== 200)) {
      expect(refused.statusCode).toBe(403)
      expect(refused.body).not.toContain(SECRET_WORD)
    }
    expect((await get(shop.other, headers)).statusCode).toBe(200)
    expect((await get(shop.open, headers)).statusCode).toBe(200)
    expect((await get(shop.paid, await signed())).statusCode).toBe(200)
  })

  it('does not open what is reserved for another program', async () => {
    await use([{ type: 'x-audience', any_of: ['agent:https://crawler.example'] }])
    expect((await get(shop.paid, await signed())).statusCode).toBe(403)
  })

  it('pays its price with the signature of the offer, which is not used up', async () => {
    await use([{ type: 'x-audience', any_of: ['verified_bots'] }, payment])
    expect((await get(shop.paid)).statusCode).toBe(403)
    const headers = await signed()
    const offer = await get(shop.paid, headers)
    expect(offer.statusCode).toBe(402)
    const proof = test.cashWallets.answer(header(offer, 'payment-required'), { wallet: 'wallet:signer' })
    const paid = await get(shop.paid, { ...headers, ...proof })
    expect(paid.statusCode, paid.body).toBe(200)
    const payer = { 'x-eep-payer-wallet': 'wallet:signer', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, { ...headers, ...payer })).statusCode).toBe(200)
    expect((await get(shop.paid, payer)).statusCode).toBe(403)
  })
})
