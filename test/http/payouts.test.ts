import { cashRail, createCashWallets } from '@eep/core/testing'
import { evmWallets, localFacilitator, x402Rail } from '@eep/payments-x402'
import { encodeHeader, type LocalChain, signPayment, startLocalChain } from '@eep/payments-x402/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp, openStorage, type TestApp, type TestAppOptions } from '../support/app.ts'
import { client } from '../support/client.ts'
import { mergeOptions } from '../support/options.ts'
import { decodeHeader, openShop, SECRET_WORD } from '../support/shop.ts'
import { keyOf, linkWallet } from '../support/wallets.ts'

type Headers = Record<string, string>
type Wallet = LocalChain['wallets']['payer']

const NETWORK = 'eip155:84532'

let database: Awaited<ReturnType<typeof openStorage>>
let chain: LocalChain
let app: TestApp
const closers: (() => Promise<void>)[] = []

/** A service that takes payments on the local chain, and on networks of cash. */
async function instance(options: TestAppOptions = {}): Promise<TestApp> {
  const { rpcUrl, network, chainId, wallets } = chain
  const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
  const made = await createTestApp(
    mergeOptions(
      {
        storage: database.storage,
        payments: {
          rails: [
            x402Rail({ network, rpcUrl, facilitator, payTo: wallets.platform.address }),
            cashRail({ cashWallets: createCashWallets(), network: 'eip155:1' }),
          ],
        },
        auth: { walletVerifier: evmWallets({ chains: [{ chainId, rpcUrl }, { chainId: 1 }] }) },
      },
      options,
    ),
  )
  closers.push(made.close)
  return made.app
}

beforeAll(async () => {
  chain = await startLocalChain()
  database = await openStorage()
  app = await instance()
})

afterAll(async () => {
  for (const close of closers) await close()
  await database.close()
  await chain.stop()
})

const choose = (body: object, headers: Headers, on = app) => client(on).post('/manage/payouts', body, headers)
const remove = (id: unknown, headers: Headers) => client(app).delete(`/manage/payouts/${id}`, headers)
const list = async (headers: Headers) => (await client(app).get('/manage/payouts', headers)).json()

async function payoutTo(wallet: Wallet, headers: Headers): Promise<{ walletId: string; id: number }> {
  const walletId = await linkWallet(app, wallet, headers)
  const response = await choose({ account_wallet_id: walletId, network: NETWORK }, headers)
  expect(response.statusCode).toBe(201)
  return { walletId, id: response.json().id }
}

/** The offer on the local chain in a 402. */
async function offerOf(path: string, on = app) {
  const response = await client(on).get(path)
  expect(response.statusCode).toBe(402)
  const { accepts } = decodeHeader(response, 'payment-required')
  return accepts.find((accept: { network: string }) => accept.network === NETWORK)
}

const payTo = async (path: string, on = app): Promise<string> => (await offerOf(path, on)).payTo

async function pay(path: string, offer: Parameters<typeof signPayment>[0], payer: Wallet) {
  const signature = encodeHeader(await signPayment(offer, payer))
  return client(app).get(path, { 'payment-signature': signature })
}

describe('POST /manage/payouts', () => {
  it('sets the payout wallet of an account on a network', async () => {
    const { headers } = await signUp(app)
    const walletId = await linkWallet(app, keyOf(101), headers)
    const response = await choose({ account_wallet_id: walletId, network: NETWORK }, headers)
    expect(response.statusCode).toBe(201)
    const payout = { account_wallet_id: walletId, network: NETWORK, asset: chain.token, enabled: true }
    expect(response.json()).toEqual({ id: expect.any(Number), ...payout })
    expect(await list(headers)).toEqual({ data: [response.json()], pagination: { total: 1, has_more: false } })
  })

  it('accepts the alias of a network, and an asset in any case', async () => {
    const { headers } = await signUp(app)
    const walletId = await linkWallet(app, keyOf(102), headers)
    const body = { account_wallet_id: walletId, network: 'base-sepolia', asset: chain.token.toLowerCase() }
    const response = await choose(body, headers)
    expect(response.json()).toMatchObject({ network: NETWORK, asset: chain.token })
  })

  it('keeps one payout for a network enabled, and one for a wallet', async () => {
    const { headers } = await signUp(app)
    const first = await payoutTo(keyOf(103), headers)
    const second = await payoutTo(keyOf(104), headers)
    expect((await list(headers)).data).toMatchObject([
      { id: first.id, enabled: false },
      { id: second.id, enabled: true },
    ])
    const response = await choose({ account_wallet_id: first.walletId, network: NETWORK }, headers)
    expect((await list(headers)).data).toMatchObject([
      { id: second.id, enabled: false },
      { id: response.json().id, account_wallet_id: first.walletId, enabled: true },
    ])
  })

  it('keeps one payout enabled when twenty are chosen concurrently', async () => {
    const { headers } = await signUp(app)
    const wallets = await Promise.all([105, 106, 107, 108].map((key) => linkWallet(app, keyOf(key), headers)))
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        choose({ account_wallet_id: wallets[index % 4], network: NETWORK }, headers),
      ),
    )
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([201]))
    const { data } = await list(headers)
    expect(data).toHaveLength(4)
    expect(data.filter(({ enabled }: { enabled: boolean }) => enabled)).toHaveLength(1)
  })

  it('rejects the wallet of another account and an unknown wallet', async () => {
    const [{ headers }, other] = [await signUp(app), await signUp(app)]
    const theirs = await linkWallet(app, keyOf(109), other.headers)
    for (const id of [theirs, '00000000-0000-4000-8000-000000000000']) {
      const response = await choose({ account_wallet_id: id, network: NETWORK }, headers)
      expect(response.statusCode).toBe(404)
      expect(codeOf(response)).toBe('wallet_not_found')
    }
  })

  it.each([
    ['network_not_offered', { network: 'eip155:137' }],
    ['network_not_offered', { network: 'somewhere' }],
    ['network_not_offered', { network: '__proto__' }],
    ['asset_not_offered', { network: NETWORK, asset: '0x0000000000000000000000000000000000000001' }],
    ['wallet_of_other_network', { network: 'eip155:1' }],
    ['validation_failed', { network: '' }],
  ])('returns 400 %s for %j', async (code, part) => {
    const { headers } = await signUp(app)
    const walletId = await linkWallet(app, keyOf(110), headers)
    const response = await choose({ account_wallet_id: walletId, ...part }, headers)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe(code)
    expect((await list(headers)).data).toEqual([])
  })
})

describe('DELETE /manage/payouts/{id}', () => {
  it('deletes a payout once, and none of other accounts', async () => {
    const [{ headers }, other] = [await signUp(app), await signUp(app)]
    const { id } = await payoutTo(keyOf(111), other.headers)
    for (const each of [id, 999_999_999]) {
      const response = await remove(each, headers)
      expect(response.statusCode).toBe(404)
      expect(codeOf(response)).toBe('payout_not_found')
    }
    expect((await remove(id, other.headers)).statusCode).toBe(200)
    expect((await remove(id, other.headers)).statusCode).toBe(404)
    expect((await list(other.headers)).data).toEqual([])
  })
})

describe('a wallet that payouts go to', () => {
  const unlink = (id: string, headers: Headers, query = '') =>
    client(app).delete(`/auth/siwe/wallets/${id}${query}`, headers)

  it('stays linked unless unlinking is forced, which disables its payouts first', async () => {
    const { headers } = await signUp(app)
    const { id, walletId } = await payoutTo(keyOf(112), headers)
    for (const query of ['', '?force=0', '?force=false']) {
      const response = await unlink(walletId, headers, query)
      expect(response.statusCode).toBe(409)
      expect(response.json().error).toMatchObject({ code: 'wallet_in_use', details: { payouts: [id] } })
    }
    expect((await unlink(walletId, headers, '?force=true')).statusCode).toBe(200)
    expect((await list(headers)).data).toEqual([
      { id, account_wallet_id: null, network: NETWORK, asset: chain.token, enabled: false },
    ])

    const next = await payoutTo(keyOf(118), headers)
    expect((await list(headers)).data).toMatchObject([{ id: next.id, account_wallet_id: next.walletId, enabled: true }])
  })

  it('keeps a disabled payout of an unlinked wallet, which its owner can delete', async () => {
    const { headers } = await signUp(app)
    const { id, walletId } = await payoutTo(keyOf(119), headers)
    await unlink(walletId, headers, '?force=1')
    const remove = () => client(app).delete(`/manage/payouts/${id}`, headers)
    expect((await remove()).statusCode).toBe(200)
    expect((await list(headers)).data).toEqual([])
  })

  it('can be unlinked again when its payouts are disabled', async () => {
    const { headers } = await signUp(app)
    const { walletId } = await payoutTo(keyOf(113), headers)
    await payoutTo(keyOf(114), headers)
    expect((await unlink(walletId, headers)).statusCode).toBe(200)
  })

  it('either binds or unlinks a wallet when both are requested concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { headers } = await signUp(app)
      const walletId = await linkWallet(app, keyOf(200 + round), headers)
      const [chosen, unlinked] = await Promise.all([
        choose({ account_wallet_id: walletId, network: NETWORK }, headers),
        unlink(walletId, headers),
      ])
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([chosen.statusCode, unlinked.statusCode])
    }
  })
})

describe('a gated page', () => {
  it('is paid to the wallet of its owner, or to the platform without one', async () => {
    const shop = await openShop(app, 'paid-seller')
    const { seller, platform, payer, otherPayer } = chain.wallets
    const balances = () => Promise.all([seller, platform].map(({ address }) => chain.balanceOf(address)))
    const [before, platformBefore] = (await balances()) as [bigint, bigint]
    expect(await payTo(shop.paid)).toBe(platform.address)

    const { id } = await payoutTo(seller, shop.headers)
    const offer = await offerOf(shop.paid)
    expect(offer.payTo).toBe(seller.address)
    const bought = await pay(shop.paid, offer, payer)
    expect(bought.statusCode).toBe(200)
    expect(bought.body).toContain(SECRET_WORD)
    expect(await balances()).toEqual([before + 10_000n, platformBefore])

    await remove(id, shop.headers)
    const later = await pay(shop.paid, await offerOf(shop.paid), otherPayer)
    expect(later.statusCode).toBe(200)
    expect(await balances()).toEqual([before + 10_000n, platformBefore + 10_000n])
  })

  it('refuses a payment that was signed for where the owner was paid before, with a fresh 402 and at no cost', async () => {
    const shop = await openShop(app, 'moving-seller')
    const payer = await chain.newPayer()
    const funds = await chain.balanceOf(payer.address)
    const old = await offerOf(shop.paid)
    await payoutTo(keyOf(115), shop.headers)

    const refused = await pay(shop.paid, old, payer)
    expect(refused.statusCode).toBe(402)
    expect(refused.body).not.toContain(SECRET_WORD)
    const { accepts } = decodeHeader(refused, 'payment-required')
    expect(accepts[0].payTo).toBe(keyOf(115).address)
    expect(decodeHeader(refused, 'payment-response')).toMatchObject({ success: false })
    expect(await chain.balanceOf(payer.address)).toBe(funds)

    expect((await pay(shop.paid, accepts[0], payer)).statusCode).toBe(200)
    expect(await chain.balanceOf(keyOf(115).address)).toBe(10_000n)
  })

  it('serves what was paid for to the old wallet again, without a second charge', async () => {
    const shop = await openShop(app, 'repeated-seller')
    const payer = await chain.newPayer()
    const signature = encodeHeader(await signPayment(await offerOf(shop.paid), payer))
    const headers = { 'payment-signature': signature }
    expect((await client(app).get(shop.paid, headers)).statusCode).toBe(200)
    const funds = await chain.balanceOf(payer.address)
    await payoutTo(keyOf(116), shop.headers)
    expect((await client(app).get(shop.paid, headers)).statusCode).toBe(200)
    expect(await chain.balanceOf(payer.address)).toBe(funds)
  })

  it('offers the current payout address of the owner immediately, also after unlinking and on another instance', async () => {
    const shop = await openShop(app, 'quick-seller')
    const another = await instance({ storage: database.another() })
    const platform = chain.wallets.platform.address
    const seen = async (address: string) => {
      expect(await payTo(shop.paid)).toBe(address)
      await expect.poll(() => payTo(shop.other, another), { timeout: 60_000 }).toBe(address)
    }
    await seen(platform)
    const { walletId } = await payoutTo(keyOf(117), shop.headers)
    await seen(keyOf(117).address)
    await payoutTo(keyOf(118), shop.headers)
    await seen(keyOf(118).address)
    await choose({ account_wallet_id: walletId, network: NETWORK }, shop.headers)
    await seen(keyOf(117).address)
    const url = `/auth/siwe/wallets/${walletId}?force=1`
    await shop.delete(url)
    await seen(platform)
  })

  it('pays each page to the owner of its profile', async () => {
    const [one, two] = [await openShop(app, 'seller-one'), await openShop(app, 'seller-two')]
    await payoutTo(keyOf(119), one.headers)
    await payoutTo(keyOf(120), two.headers)
    expect(await payTo(one.paid)).toBe(keyOf(119).address)
    expect(await payTo(two.paid)).toBe(keyOf(120).address)
  })
})
