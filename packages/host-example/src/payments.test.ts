import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeParts, readConfig } from '@eep/core/host'
import { newPurchase } from '@eep/core/testing'
import { encodeHeader, signPayment, walletOf } from '@eep/payments-x402/testing'
import { describe, expect, it } from 'vitest'
import { host } from './host.ts'

const PAY_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(host, environment)
    return []
  } catch (error) {
    return String(error).split('\n')
  }
}

const SECRETS = ['a secret of the service, of thirty-two characters']
const partsOf = (environment: Record<string, string>) => makeParts(host, readConfig(host, environment), SECRETS)
const railsOf = async (environment: Record<string, string>) => (await partsOf(environment)).rails ?? []
const remote = { X402_FACILITATOR_URL: 'https://facilitator.example', X402_PAY_TO: PAY_TO }

describe('the rails', () => {
  it('creates rails for stablecoins and cards when both are configured', async () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PROFILE_ID: 'profile_1' }
    const rails = await railsOf({ ...remote, X402_NETWORK: 'base', ...stripe })
    expect(rails.map(({ id }) => id)).toEqual(['x402', 'stripe-mpp'])
    const [card] = await railsOf(stripe)
    expect(card?.info?.accepts.map(({ network, asset }) => `${network} ${asset}`)).toEqual([
      'stripe:live usd',
      'stripe:live eur',
    ])
  })

  it('sells to clients of x402 version 1 unless EEP_X402_V1 is off', async () => {
    const v1NetworksOf = async (values: Record<string, string>) =>
      (await railsOf({ ...remote, ...values }))[0]?.info?.v1Networks
    expect(await v1NetworksOf({})).toEqual(['eip155:84532'])
    expect(await v1NetworksOf({ EEP_X402_V1: 'off' })).toEqual([])
    expect(problemsOf({ ...remote, EEP_X402_V1: 'no' }).join()).toContain('EEP_X402_V1 "no"')
  })

  it('pays owners directly without an address of the service, and makes no offer for others', async () => {
    const values = { X402_FACILITATOR_URL: 'https://facilitator.example' }
    expect(problemsOf(values)).toEqual([])
    const [rail] = await railsOf(values)
    const priced = newPurchase({ price: { amount: '0.01', currency: 'usdc' }, payTo: {} })
    expect(await rail?.offer(priced)).toBeUndefined()
    const paidTo = { ...priced, payTo: { 'eip155:84532': PAY_TO } }
    expect((await rail?.offer(paidTo))?.accept).toMatchObject({ payTo: PAY_TO })
    expect((await partsOf(values)).walletVerifier).toBeDefined()
  })

  it.each([
    [
      { ...remote, X402_NETWORK: 'base-sepolia', STRIPE_SECRET_KEY: 'sk_live_1' },
      'X402_NETWORK is for test money, and STRIPE_SECRET_KEY is for real money',
    ],
    [
      { ...remote, X402_NETWORK: 'eip155:8453', STRIPE_SECRET_KEY: 'rk_test_1' },
      'X402_NETWORK is for real money, and STRIPE_SECRET_KEY is for test money',
    ],
  ])('refuses rails for several kinds of money, whatever NODE_ENV is, and names their variables', (values, named) => {
    for (const NODE_ENV of ['development', 'production']) {
      expect(problemsOf({ ...values, NODE_ENV }).join('\n')).toContain(`${named}: a host takes one kind of money`)
    }
  })

  it('has no default network in production', () => {
    expect(problemsOf({ ...remote, NODE_ENV: 'production' })).toContainEqual(
      expect.stringMatching(/^X402_NETWORK is missing: in production/),
    )
    expect(problemsOf({ ...remote, NODE_ENV: 'production', X402_NETWORK: 'base' }).join()).not.toContain('X402_NETWORK')
  })

  it.each([
    [{}, '.data/sandbox'],
    [{ EEP_SANDBOX: 'off' }, '.data'],
    [{ X402_PAY_TO: undefined, X402_NETWORK: 'base-sepolia' }, '.data'],
    [remote, '.data/test'],
    [{ ...remote, X402_NETWORK: 'base' }, '.data'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, '.data/test'],
    [{ STRIPE_SECRET_KEY: 'sk_live_1' }, '.data'],
    [{ ...remote, EEP_DATA_DIR: '/srv/eep' }, '/srv/eep'],
  ])('have a data directory for each kind of money: %o', (values, dataDir) => {
    expect(readConfig(host, values).dataDir).toBe(dataDir)
  })

  it('creates no rails without a facilitator', async () => {
    expect(await railsOf({})).toEqual([])
  })

  it('creates a rail for USDC on Base Sepolia by default', async () => {
    const [rail, ...more] = await railsOf(remote)
    expect(more).toEqual([])
    expect(rail?.info?.accepts).toMatchObject([{ network: 'eip155:84532' }])
  })

  it('settles in this process with a key and an RPC endpoint', async () => {
    const rails = await railsOf({
      X402_PAY_TO: PAY_TO,
      X402_NETWORK: 'base',
      X402_RPC_URL: 'http://localhost:8545',
      X402_FACILITATOR_KEY: `0x${'2'.repeat(64)}`,
    })
    expect(rails[0]?.info).toMatchObject({ accepts: [{ network: 'eip155:8453' }] })
  })

  it('asks the recovery endpoint about a lost outcome unless it is off', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      request.on('data', (chunk) => asked.push(JSON.parse(String(chunk)).method))
      request.on('end', () => response.writeHead(503).end())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const recover = async (recovery: string) => {
      // No server listens on port 9, so the facilitator cannot report the outcome of the payment.
      const environment = { ...remote, X402_FACILITATOR_URL: 'http://127.0.0.1:9', X402_RECOVERY_RPC_URL: recovery }
      const [rail] = await railsOf(environment)
      const purchase = newPurchase({ price: { amount: '0.01', currency: 'usdc' } })
      const { accept } = (await rail?.offer(purchase)) ?? {}
      const signed = await signPayment(accept ?? {}, walletOf(`0x${'3'.repeat(64)}`))
      const credential = rail?.read({ paymentSignature: encodeHeader(signed) })
      if (!rail || !credential) throw new Error('no credential')
      await expect(rail.recover(credential, purchase, {})).rejects.toMatchObject({ code: 'settlement_pending' })
    }
    await recover('off')
    expect(asked).toEqual([])
    await recover(url)
    expect(asked).not.toEqual([])
    server.closeAllConnections()
    server.close()
  })

  it.each([
    [{ X402_PAY_TO: PAY_TO.replace('3C44', '3c44') }, 'X402_PAY_TO'],
    [{ X402_NETWORK: 'eip155:31337' }, 'X402_ASSET does not fit'],
    [{ X402_ASSET: PAY_TO }, 'X402_ASSET does not fit'],
  ])('refuse %j', async (values, problem) => {
    await expect(railsOf({ ...remote, ...values })).rejects.toThrow(problem)
  })

  it.each([PAY_TO.toLowerCase(), `0x${PAY_TO.slice(2).toUpperCase()}`])(
    'accepts %s, which has no checksum',
    async (payTo) => {
      expect(await railsOf({ ...remote, X402_PAY_TO: payTo })).toHaveLength(1)
    },
  )
})

describe('subscriptions', () => {
  it('sells subscriptions by card with a key of Stripe', async () => {
    expect((await partsOf({ STRIPE_SECRET_KEY: 'sk_live_1' })).billing).toMatchObject({ id: 'stripe' })
    expect((await partsOf({})).billing).toBeUndefined()
  })
})
