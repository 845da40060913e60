import { type Storage, storageUnavailable } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { openStorage, type TestStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { createCashApp, header, openShop, type Shop } from '../support/shop.ts'

const mailbox = createMailbox()
let opened: TestStorage
let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
/** Sessions cannot be looked up, as when one connection breaks; everything else can. */
let isBroken = false

function breakable(storage: Storage): Storage {
  const { sessions } = storage.read
  const getWithAccount: typeof sessions.getWithAccount = async (id) => {
    if (isBroken) throw storageUnavailable({ retryAfterMs: 2_000 })
    return sessions.getWithAccount(id)
  }
  return { ...storage, read: { ...storage.read, sessions: { ...sessions, getWithAccount } } }
}

beforeAll(async () => {
  opened = await openStorage()
  test = await createCashApp({ storage: breakable(opened.storage), email: { mailer: mailbox.mailer } })
  shop = await openShop(test.app, 'publisher')
})
afterAll(async () => {
  await test.close()
  await opened.close()
})

const { get } = client(() => test.app)

async function whileBroken<Result>(work: () => Promise<Result>): Promise<Result> {
  isBroken = true
  try {
    return await work()
  } finally {
    isBroken = false
  }
}

describe('a caller who cannot be looked up while the storage is unavailable', () => {
  it('reads what is open to everyone', async () => {
    const { headers } = await signUp(test.app)
    expect((await whileBroken(() => get(shop.open, { ...headers }))).statusCode).toBe(200)
  })

  it('is neither asked to pay nor charged for what the account may hold', async () => {
    const { headers } = await signUp(test.app)
    const offer = header(await get(shop.paid), 'payment-required')
    const answers = await whileBroken(async () => [
      await get(shop.paid, { ...headers }),
      await get(shop.paid, { ...headers, ...test.cashWallets.answer(offer, { wallet: 'wallet:unidentified' }) }),
      await client(test.app).post(
        '/eep/payment/x402/payment-required',
        { did: shop.did, resource: shop.paid },
        headers,
      ),
    ])
    for (const answer of answers) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'storage_unavailable'])
      expect([answer.headers['retry-after'], answer.headers['payment-required']]).toEqual(['2', undefined])
    }
    const payer = { 'x-eep-payer-wallet': 'wallet:unidentified', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, payer)).statusCode).toBe(402)
  })

  it('returns 503 instead of 404 for resources that the account may see', async () => {
    const { headers, account } = await signUp(test.app)
    const url = `/u/${account.username}`
    const visibility = { method: 'PUT', url: `/profiles/${account.active_profile_id}/visibility`, headers } as const
    expect((await test.app.inject({ ...visibility, payload: { visibility: 'private' } })).statusCode).toBe(200)
    expect((await whileBroken(() => get(url, { ...headers }))).statusCode).toBe(503)
    expect((await get(url, { ...headers })).statusCode).toBe(200)
    expect((await get(url)).statusCode).toBe(404)
  })

  it('verifies the own address only when the account is identified', async () => {
    const { headers, account } = await signUp(test.app)
    const token = tokenIn(await mailbox.take(account.email, 'verification'))
    const verify = () => client(test.app).post('/auth/verify', { token }, headers)
    expect((await whileBroken(verify)).statusCode).toBe(503)
    expect((await verify()).json()).toMatchObject({ success: true, email_owned: true })
    expect((await get('/auth/me', { ...headers })).statusCode).toBe(200)
  })
})
