import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { SANDBOX_NETWORK } from '@eep/core/ports'
import { walletOf } from '@eep/payments-x402/testing'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHost, until } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'

const PLAY_TOKEN = '0x7e57000000000000000000000000000000000001'

describe('a host with its own routes', { timeout: 300_000 }, () => {
  let directory: string
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    directory = await migratedDataDirectory()
    host = await startHost({ EEP_DATA_DIR: directory }, 'tides-host')
    await until(
      () => host.said.stdout.includes('curl -i') || undefined,
      () => host.said.stdout,
    )
  })
  afterAll(async () => {
    await host.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('answers a request without payment with the price of the route', async () => {
    const response = await fetch(`${host.url}/tides`)
    expect(response.status).toBe(402)
    expect(response.headers.get('payment-required')).not.toBeNull()
  })

  it('sells a route to the official client of x402', async () => {
    const { account } = walletOf(`0x${randomBytes(32).toString('hex')}`)
    await fetch(`${host.url}/sandbox/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address: account.address }),
    })
    const agent = new x402Client().register(SANDBOX_NETWORK, new ExactEvmScheme(account))
    agent.setSpendControls({ allowedAssets: [{ network: SANDBOX_NETWORK, asset: PLAY_TOKEN }] })
    const response = await wrapFetchWithPayment(fetch, agent)(`${host.url}/tides`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ high: ['06:12', '18:40'], low: ['00:03', '12:27'] })
  })

  it('lists the route among what is for sale', async () => {
    expect(await (await fetch(`${host.url}/llms.txt`)).text()).toContain('/tides')
  })
})
