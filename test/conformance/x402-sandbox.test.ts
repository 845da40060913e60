import { randomBytes } from 'node:crypto'
import { SANDBOX_NETWORK } from '@eep/core/ports'
import { sandbox } from '@eep/core/sandbox'
import { sandboxChain, sandboxFacilitator, x402Rail } from '@eep/payments-x402'
import { walletOf } from '@eep/payments-x402/testing'
import { wrapAxiosWithPayment } from '@x402/axios'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage } from '../support/app.ts'
import { openShop, SECRET_WORD } from '../support/shop.ts'

const PLAY_TOKEN = '0x7e57000000000000000000000000000000000001'
const platform = `0x${'5e'.repeat(20)}`

async function startHost() {
  const database = await openStorage()
  const { storage } = database
  const rail = x402Rail({
    network: SANDBOX_NETWORK,
    client: sandboxChain({ storage }),
    facilitator: sandboxFacilitator({ storage }),
    payTo: platform,
  })
  const test = await createTestApp({ storage, payments: { rails: [rail] }, modules: [sandbox()] })
  const shop = await openShop(test.app, 'play-chain')
  const url = await test.app.listen({ port: 0 })
  const balanceOf = async (address: string) => (await storage.read.sandboxWallets?.get(address.toLowerCase()))?.atomic
  const close = async () => {
    test.app.server.closeAllConnections()
    await test.close()
    await database.close()
  }
  return { ...test, storage, shop, url, balanceOf, close }
}

describe('the play chain of the sandbox', () => {
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    host = await startHost()
  })
  afterAll(() => host.close())

  /** The official client with a fresh wallet, which allows the play token by the setting that it has for further tokens. */
  async function buyer(atomic: bigint) {
    const wallet = walletOf(`0x${randomBytes(32).toString('hex')}`)
    const address = wallet.address.toLowerCase()
    await host.storage.transaction(async (tx) =>
      tx.sandboxWallets?.fund({ address, upTo: atomic, at: new Date(), maxWallets: 1_000 }),
    )
    const client = new x402Client().register(SANDBOX_NETWORK, new ExactEvmScheme(wallet.account))
    client.setSpendControls({ allowedAssets: [{ network: SANDBOX_NETWORK, asset: PLAY_TOKEN }] })
    return { address, client }
  }

  it('sells to @x402/fetch, which lists the play token among the tokens that it may spend', async () => {
    const { address, client } = await buyer(1_000_000n)
    const response = await wrapFetchWithPayment(fetch, client)(`${host.url}${host.shop.paid}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(SECRET_WORD)
    const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    expect(settled).toMatchObject({ success: true, network: SANDBOX_NETWORK })
    expect([await host.balanceOf(address), await host.balanceOf(platform)]).toEqual([990_000n, 10_000n])
  })

  it('sells to an agent whose wallet was filled at the faucet', async () => {
    const wallet = walletOf(`0x${randomBytes(32).toString('hex')}`)
    const filled = await fetch(`${host.url}/sandbox/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: wallet.address }),
    })
    expect(await filled.json()).toMatchObject({ address: wallet.address, balance: '1000', network: SANDBOX_NETWORK })
    const client = new x402Client().register(SANDBOX_NETWORK, new ExactEvmScheme(wallet.account))
    client.setSpendControls({ allowedAssets: [{ network: SANDBOX_NETWORK, asset: PLAY_TOKEN }] })
    const response = await wrapFetchWithPayment(fetch, client)(`${host.url}${host.shop.paid}`)
    expect(await response.text()).toContain(SECRET_WORD)
    expect(await host.balanceOf(wallet.address)).toBe(999_990_000n)
  })

  it('is not paid by the official client as it comes, which spends the tokens of known chains only', async () => {
    const { address, client } = await buyer(1_000_000n)
    client.setSpendControls({})
    const asked = wrapFetchWithPayment(fetch, client)(`${host.url}${host.shop.paid}`)
    await expect(asked).rejects.toThrow('spendControls')
    expect(await host.balanceOf(address)).toBe(1_000_000n)
  })

  it('sells to @x402/axios', async () => {
    const { address, client } = await buyer(1_000_000n)
    // The newest @x402/axios is built on an older core, whose client class only differs in private members.
    const older = client as unknown as Parameters<typeof wrapAxiosWithPayment>[1]
    const response = await wrapAxiosWithPayment(axios.create(), older).get(`${host.url}${host.shop.paid}`)
    expect(response.status).toBe(200)
    expect(await host.balanceOf(address)).toBe(990_000n)
  })

  it('sells nothing to a wallet with too little play money', async () => {
    const { address, client } = await buyer(9_999n)
    const response = await wrapFetchWithPayment(fetch, client)(`${host.url}${host.shop.paid}`)
    expect(response.status).toBe(402)
    expect(await response.text()).not.toContain(SECRET_WORD)
    expect(await host.balanceOf(address)).toBe(9_999n)
  })
})
