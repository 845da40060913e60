import { accountHolder, emailHolder } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { header, openShop, receiptIdOf, SECRET_WORD, type Shop } from '../support/shop.ts'

type Headers = Record<string, string>

/** Rails of others that name their payers as the service names accounts and addresses. */
const NETWORKS = ['account', 'email'] as const
const cashWallets = {
  account: createCashWallets({ network: 'account' }),
  email: createCashWallets({ network: 'email' }),
}
const rails = NETWORKS.map((network) => cashRail({ id: `by-${network}`, network, cashWallets: cashWallets[network] }))

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let reader: { readonly id: string; readonly email: string; readonly headers: Headers }

beforeAll(async () => {
  test = await createTestApp({ payments: { rails, payerProof: 'lookup' }, email: { mailer: mailbox.mailer } })
  shop = await openShop(test.app, 'bookshop')
  const { account, headers } = await signUp(test.app)
  reader = { id: account.id, email: account.email, headers: { ...headers } }
  const token = tokenIn(await mailbox.take(reader.email, 'verification'))
  expect((await client(test.app).as(reader).post('/auth/verify', { token })).statusCode).toBe(200)
  for (const to of [{ account: reader.id }, { email: reader.email }]) {
    const body = { profile_id: shop.profileId, tier: 'reader', ...to }
    expect((await client(test.app).post('/manage/entitlements', body, { ...shop.headers })).statusCode).toBe(201)
  }
  expect((await get(reader.headers)).statusCode).toBe(200)
})
afterAll(() => test.close())

const get = (headers: Headers, url = shop.paid) => client(test.app).get(url, headers)
const names = () => [
  ['account', reader.id],
  ['email', reader.email],
]
const heldBy = async (holder: ReturnType<typeof accountHolder>) =>
  (await test.storage.read.entitlements.listActive({ profileId: shop.profileId, ...holder })).length

/** Ways to name another payer in a request, by kind and name. */
const WAYS: Readonly<Record<string, (network: string, name: string) => Headers>> = {
  'the payer headers': (network, name) => ({ 'x-eep-payer-wallet': name, 'x-eep-payer-network': network }),
  'the payer headers in capitals': (network, name) => ({
    'x-eep-payer-wallet': name.toUpperCase(),
    'x-eep-payer-network': network.toUpperCase(),
  }),
  'payer headers with a colon': (network, name) => ({
    'x-eep-payer-wallet': name,
    'x-eep-payer-network': `${network}:`,
  }),
  'the payer cookie': (network, name) => ({ cookie: `eep_payer=${name}|${network}` }),
  'a percent-encoded payer cookie': (network, name) => ({
    cookie: `eep_payer=${encodeURIComponent(`${name}|${network}`)}`,
  }),
  'a payer cookie with a proof': (network, name) => ({
    cookie: `eep_payer=${name}|${network}; eep_payer_proof=9999999999.${'a'.repeat(43)}`,
  }),
  'the header of an agent': (_, name) => ({ 'eep-agent-did': name, 'x-eep-agent-did': name }),
  'the DID of an agent': (network, name) => ({
    'eep-agent-did': `did:${network}:${name}`,
    'x-eep-agent-did': `did:${network}:${name}`,
  }),
  'a wallet signing in': (network, name) => ({
    'sign-in-with-x': Buffer.from(
      JSON.stringify({ address: name, chainId: network, network, signature: '0x01', type: 'eip191' }),
    ).toString('base64'),
  }),
  'an agreement or credential': (network, name) => ({
    'x-eep-proofs': Buffer.from(
      JSON.stringify([{ type: 'payment', payer_wallet: name, payer_network: network }]),
    ).toString('base64url'),
  }),
  'a session of an agent': (network, name) => ({
    authorization: `EEP-Session ${Buffer.from(JSON.stringify({ agent_did: `did:${network}:${name}`, tiers: ['reader'] })).toString('base64url')}`,
  }),
}

describe('the purchases of an account or an email address', () => {
  it.each(Object.entries(WAYS))('are not accessible by %s', async (_, way) => {
    for (const [network = '', name = ''] of names()) {
      for (const path of [shop.paid, `${shop.paid}?payer_wallet=${name}&payer_network=${network}&eep_payer=${name}`]) {
        const answer = await get(way(network, name), path)
        expect([400, 401, 402]).toContain(answer.statusCode)
        expect(answer.body).not.toContain(SECRET_WORD)
      }
    }
  })

  it('are not accessible to a payer of a rail that uses the same network name', async () => {
    for (const network of NETWORKS) {
      const name = network === 'account' ? reader.id : reader.email
      const wallets = cashWallets[network]
      const paid = await get(wallets.answer(header(await get({}), 'payment-required'), { wallet: name }))
      expect(paid.statusCode).toBe(200)
      expect(wallets.balance(), 'it was paid for').toBe(10_000n)
      const receipt = await test.storage.read.receipts.get(receiptIdOf(paid))
      expect(receipt?.payerNetwork).toBe(`by-${network}:${network}`)
    }
    expect([await heldBy(accountHolder(reader.id)), await heldBy(emailHolder(reader.email))]).toEqual([1, 1])
  })

  it('cannot be granted by a rail with the same network name', async () => {
    const other = await signUp(test.app)
    const sent = cashWallets.account.answer(header(await get({}), 'payment-required'), { wallet: other.account.id })
    const paid = await get(sent)
    expect(paid.statusCode).toBe(200)
    expect(await heldBy(accountHolder(other.account.id))).toBe(0)
    // The same credential again is the same payment, and a new one of the same payer is not charged.
    expect((await get(sent)).statusCode).toBe(200)
    const before = cashWallets.account.balance()
    const again = cashWallets.account.answer(header(await get({}), 'payment-required'), { wallet: other.account.id })
    expect((await get(again)).statusCode).toBe(200)
    expect(cashWallets.account.balance()).toBe(before)
  })

  it('have holders that are rejected as a wallet or DID in grants and in the explanation of a gate', async () => {
    const tier = { profile_id: shop.profileId, tier: 'reader' }
    for (const [network = '', name = ''] of names()) {
      for (const to of [
        { payer_wallet: name, payer_network: network },
        { payer_did: name },
        { payer_did: network },
        { payer_wallet: name, payer_network: network, account: reader.id },
      ]) {
        const answer = await client(test.app).post('/manage/entitlements', { ...tier, ...to }, { ...shop.headers })
        expect(answer.statusCode, JSON.stringify(to)).toBe(400)
      }
      const query = new URLSearchParams({
        resource: 'content.notes.engines',
        payer_wallet: name,
        payer_network: network,
      })
      const explained = await get(
        { ...shop.headers },
        `/eep/gates/${encodeURIComponent(shop.did).replaceAll('%25', '%2525')}/explain?${query}`,
      )
      if (explained.statusCode === 200) expect(explained.body).not.toMatch(/"(granted|held|open)":\s*true/)
    }
  })

  it('have holders that are rejected in the body of a payment helper', async () => {
    for (const [network = '', name = ''] of names()) {
      const body = {
        did: shop.did,
        resource: 'content.notes.engines',
        payer_wallet: name,
        payer_network: network,
        payer: { wallet: name, network },
        proofs: [],
      }
      for (const path of ['/eep/payment/challenge', '/eep/payment/x402/settle', '/eep/payment/x402/verify']) {
        const answer = await client(test.app).post(path, body, {})
        expect(answer.body).not.toContain(SECRET_WORD)
        expect(answer.body).not.toMatch(/"access":\s*"granted"|"entitlement":\s*\{/)
      }
      const url = `/eep/gates/${encodeURIComponent(shop.did)}/verify-proof`
      expect([400, 402, 404]).toContain((await client(test.app).post(url, body, {})).statusCode)
    }
  })
})
