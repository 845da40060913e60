import { eraseAccount } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { createCashApp, decodeHeader, header, openShop, receiptIdOf, type Shop } from '../support/shop.ts'

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let wallets = 0

type Headers = Record<string, string>

beforeAll(async () => {
  test = await createCashApp({ email: { mailer: mailbox.mailer }, payments: { payerProof: 'signed' } })
  shop = await openShop(test.app, 'publisher')
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const status = async (headers: Headers, path = shop.paid) => (await get(path, headers)).statusCode

/** Buys the page of the shop with a new wallet; the receipt. */
async function buy(headers: Headers): Promise<string> {
  const wallet = `wallet:account-${++wallets}`
  const proof = test.cashWallets.answer(header(await get(shop.paid), 'payment-required'), { wallet })
  const paid = await get(shop.paid, { ...headers, ...proof })
  if (paid.statusCode !== 200) throw new Error(paid.body)
  return receiptIdOf(paid)
}

const grant = (to: object, by: object = shop.headers) =>
  client(test.app).post('/manage/entitlements', { profile_id: shop.profileId, tier: 'reader', ...to }, { ...by })

/** Verifies an address in a session of its account, which owns it then. */
async function verify(email: string, headers: Headers): Promise<void> {
  const token = tokenIn(await mailbox.take(email, 'verification'))
  const answer = await client(test.app).post('/auth/verify', { token }, headers)
  if (answer.statusCode !== 200) throw new Error(answer.body)
}

describe('a purchase made while signed in', () => {
  it('opens a purchase on another device by the session or by a key with read:content only', async () => {
    const reader = await signUp(test.app)
    expect(await status(reader.headers)).toBe(402)
    await buy(reader.headers)
    expect(await status(reader.headers)).toBe(200)
    expect(await status((await newKey(test.app, reader.headers)).headers)).toBe(200)
    const narrow = await newKey(test.app, reader.headers, { scopes: ['read:profiles'] })
    expect([402, 403]).toContain(await status(narrow.headers))
    expect(await status((await signUp(test.app)).headers)).toBe(402)
    expect(await status({})).toBe(402)
    const named = { 'x-eep-payer-wallet': reader.account.id, 'x-eep-payer-network': 'account' }
    expect(await status({ ...named, cookie: `eep_payer=${reader.account.id}|account` })).toBe(402)
  })

  it('assigns a purchase made with a key to its account', async () => {
    const reader = await signUp(test.app)
    await buy((await newKey(test.app, reader.headers)).headers)
    expect(await status(reader.headers)).toBe(200)
  })

  it('revokes a purchase for all holders with a refund', async () => {
    const reader = await signUp(test.app)
    const id = await buy(reader.headers)
    const payer = { 'x-eep-payer-wallet': `wallet:account-${wallets}`, 'x-eep-payer-network': 'cash:test' }
    const { data } = (await get(`/manage/entitlements?profile_id=${shop.profileId}`, { ...shop.headers })).json()
    const holders = data.filter((one: { receipt_id: string }) => one.receipt_id === id)
    expect(holders.map((one: { payer_network: string }) => one.payer_network).sort()).toEqual(['account', 'cash:test'])
    const refunded = await client(test.app).post(
      `/eep/payment/receipts/${id}/refund`,
      { reference: await test.handBack(id) },
      { ...shop.headers },
    )
    expect(refunded.statusCode, refunded.body).toBe(200)
    expect(await status(reader.headers)).toBe(402)
    expect(await status(payer)).toBe(402)
  })

  it('revokes a purchase for all holders when the seller revokes one', async () => {
    for (const network of ['account', 'cash:test']) {
      const reader = await signUp(test.app)
      const receipt = await buy(reader.headers)
      const list = `/manage/entitlements?profile_id=${shop.profileId}&active=true`
      const held = async () =>
        (await get(list, { ...shop.headers }))
          .json()
          .data.filter((one: { receipt_id: string }) => one.receipt_id === receipt)
      const one = (await held()).find((each: { payer_network: string }) => each.payer_network === network)
      const url = `/manage/entitlements/${one.id}`
      expect((await shop.delete(url)).statusCode).toBe(200)
      expect(await held()).toEqual([])
      expect(await status(reader.headers)).toBe(402)
    }
  })

  it('returns a settled purchase from the helper without a second charge', async () => {
    const reader = await signUp(test.app)
    const required = decodeHeader(await get(shop.paid), 'payment-required')
    const encoded = Buffer.from(JSON.stringify(required)).toString('base64')
    const { 'payment-signature': signed } = test.cashWallets.answer(encoded, { wallet: 'wallet:helped' })
    const body = { payment_signature: signed, did: shop.did, resource: 'content.notes.engines' }
    const settle = () => reader.post('/eep/payment/x402/settle', body)
    const [first, second] = [await settle(), await settle()]
    expect([first.statusCode, second.statusCode]).toEqual([200, 200])
    expect(second.json().receipt_id).toBe(first.json().receipt_id)
  })

  it('erases a purchase with the account', async () => {
    const reader = await signUp(test.app)
    await verify(reader.account.email, reader.headers)
    await buy(reader.headers)
    await grant({ email: reader.account.email })
    await test.storage.transaction((tx) => eraseAccount(tx, reader.account.id))
    const { data } = (
      await get(`/manage/entitlements?profile_id=${shop.profileId}&limit=100`, { ...shop.headers })
    ).json()
    const text = JSON.stringify(data)
    expect([text.includes(reader.account.id), text.includes(reader.account.email)]).toEqual([false, false])
  })
})

describe('a grant by hand', () => {
  it('accepts an account by id, username or email', async () => {
    const people = [await signUp(test.app), await signUp(test.app), await signUp(test.app)] as const
    expect((await grant({ account: people[0].account.id })).statusCode).toBe(201)
    expect((await grant({ account: people[1].account.username })).statusCode).toBe(201)
    await verify(people[2].account.email, people[2].headers)
    expect((await grant({ account: people[2].account.email.toUpperCase() })).statusCode).toBe(201)
    for (const { headers } of people) expect(await status(headers)).toBe(200)
    const unknownRecipient = await grant({ account: 'no-such-name' })
    expect([unknownRecipient.statusCode, codeOf(unknownRecipient)]).toEqual([404, 'recipient_not_found'])
    const leaver = await signUp(test.app)
    const left = await leaver.send('DELETE', '/auth/account', { password: PASSWORD })
    expect(left.statusCode, left.body).toBe(200)
    for (const account of [leaver.account.id, leaver.account.username]) {
      expect(codeOf(await grant({ account }))).toBe('recipient_not_found')
    }
    expect((await grant({ account: 'x', email: 'a@example.com' })).statusCode).toBe(400)
    expect((await grant({ account: people[0].account.id }, people[1].headers)).statusCode).toBe(403)
  })

  it('opens a grant to an email address once the address is verified, without revealing whether it has an account', async () => {
    const email = 'early-reader@example.com'
    const before = await grant({ email })
    expect(before.statusCode, before.body).toBe(201)
    const body = { email, password: PASSWORD, username: 'early-reader' }
    const { token } = (await client(test.app).post('/auth/register', body)).json()
    const headers = { authorization: `Bearer ${token}` }
    expect(await status(headers)).toBe(402)
    await verify(email, headers)
    expect(await status(headers)).toBe(200)
    const withoutIds = ({ data }: { data: { id: string; created_at: string; starts_at: string }[] }) =>
      data.map(({ id: _, created_at: __, starts_at: ___, ...rest }) => rest)
    expect(withoutIds((await grant({ email })).json())).toEqual(withoutIds(before.json()))
  })
})

describe('eep.paywall.hasAccess', () => {
  it('decides like the gate for the session of an account', async () => {
    const reader = await signUp(test.app)
    const { hasAccess } = test.eep.paywall
    const ask = (resource: string, account = reader.account.id, profile: number | string = shop.profileId) =>
      hasAccess({ account, profile, resource })
    expect(await ask('content.welcome')).toBe(true)
    expect(await ask('content.notes.engines')).toBe(false)
    await buy(reader.headers)
    expect(await ask('content.notes.engines')).toBe(true)
    expect(await ask('content.notes.engines', reader.account.id, shop.did)).toBe(true)
    expect(await ask('content.notes.engines', 'unknown')).toBe(false)
    expect(await ask('content.notes.engines', reader.account.id, 987_654)).toBe(false)
    const seller = (await get('/auth/me', { ...shop.headers })).json()
    expect(await ask('content.notes.engines', seller.id)).toBe(true)
    await test.storage.transaction((tx) => tx.accounts.save(reader.account.id, { bannedAt: new Date() }))
    expect(await ask('content.notes.engines')).toBe(false)
  })
})
