import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eep } from '@eep/core'
import { cardRail } from '@eep/payments-card'
import { type FakeStripe, startFakeStripe } from '@eep/payments-card/testing'
import { evmWallets, localFacilitator, x402Rail } from '@eep/payments-x402'
import { type LocalChain, startLocalChain } from '@eep/payments-x402/testing'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStorage } from '../../test/support/app.ts'
import { buyByCard } from './buy-by-card.ts'
import { payingFetch } from './buy-by-x402.ts'

const SECRET = 'thirty-two characters of a secret'
const TEXT = 'Worth half a dollar.'

let chain: LocalChain
let stripe: FakeStripe
let app: FastifyInstance
let page: string

/** Wallets sign for an origin, so it must be known before anything listens there. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

beforeAll(async () => {
  chain = await startLocalChain()
  stripe = await startFakeStripe()
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const { network, rpcUrl, wallets, chainId } = chain
  const { secretKey, profileId, url: apiBase } = stripe
  const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
  const rails = [
    x402Rail({ network, rpcUrl, facilitator, payTo: wallets.seller.address }),
    cardRail({ secretKey, profileId, apiBase, secret: SECRET }),
  ]
  const { storage, close } = await openStorage()
  app = Fastify({ forceCloseConnections: true, pluginTimeout: 60_000 })
  app.addHook('onClose', close)
  await app.register(eep, {
    publicUrl,
    storage,
    secret: SECRET,
    payments: { rails, payerProof: 'signed', settlementLeaseMs: 1_000 },
    auth: { walletVerifier: evmWallets({ chains: [{ chainId, rpcUrl }] }) },
  })
  await app.listen({ host: '127.0.0.1', port })
  await openShop()
  page = `${publicUrl}/u/ada/content/notes`
})
afterAll(async () => {
  await app.close()
  await stripe.stop()
  await chain.stop()
})

async function openShop() {
  const { accounts, profiles, content, gates } = app.eep
  const account = { email: 'ada@example.com', password: 'Barometer-1987', username: 'ada', fullName: 'Ada' }
  const ada = await accounts.authenticate((await accounts.register(account)).token)
  const profile = await profiles.find('person', 'ada')
  const price = { type: 'payment', amount: 0.5, currency: 'usd', per: 'day' } as const
  const tiers = {
    free: { requirements: [], access: ['profile.*'] },
    reader: { requirements: [price], access: ['content.*'] },
  }
  await gates.putConfig(profiles.didOf(profile), { default_tier: 'free', tiers }, ada)
  const text = { title: 'Notes', body: TEXT, excerpt: null, position: 0, status: 'published' } as const
  await content.pages.create({ profileId: profile.id, categoryId: null, ...text }, ada)
}

it('a wallet pays once and shows later what it bought', async () => {
  const wallet = await chain.newPayer(1_000_000n)
  const read = payingFetch(wallet.account)
  for (const time of ['first', 'second', 'third']) {
    const response = await read(page, { method: 'GET' })
    expect([time, response.status, (await response.text()).includes(TEXT)]).toEqual([time, 200, true])
  }
  expect(await chain.balanceOf(wallet.address)).toBe(500_000n)
})

it('does not pay more than the configured maximum', async () => {
  const wallet = await chain.newPayer(1_000_000n)
  await expect(payingFetch(wallet.account, '$0.1')(page, { method: 'GET' })).rejects.toThrow()
  expect(await chain.balanceOf(wallet.address)).toBe(1_000_000n)
})

it('a card pays for one answer', async () => {
  const makeToken = async ({ amount, currency }: { amount: number; currency: string }) =>
    stripe.grant({ currency, maxAmount: amount }).id
  const response = await buyByCard(page, makeToken)
  expect([response.status, (await response.text()).includes(TEXT)]).toEqual([200, true])
  expect(stripe.charges().length).toBe(1)
})
