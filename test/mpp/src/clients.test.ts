import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { PaymentRail } from '@eep/core/ports'
import { type FakeStripe, startFakeStripe, TAKING } from '@eep/payments-card/testing'
import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { type LocalChain, startLocalChain } from '@eep/payments-x402/testing'
import { openStorage, SECRET } from '@eep/test/support/app'
import { cardRailOn } from '@eep/test/support/cards'
import { openShop, SECRET_WORD } from '@eep/test/support/shop'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment } from '@x402/fetch'
import Fastify, { type FastifyInstance } from 'fastify'
import { Receipt } from 'mppx'
import { Mppx, stripe as stripeMethods } from 'mppx/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// The card rail against software of others: the client of the scheme `Payment`, its command and its validator, as they
// are published.

let stripe: FakeStripe
const hosts: (() => Promise<void>)[] = []

beforeAll(async () => {
  stripe = await startFakeStripe()
})
afterAll(async () => {
  for (const close of hosts) await close()
  await stripe.stop()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

interface HostOptions {
  readonly challengeOrder?: 'eep-first' | 'payment-first'
  /** Other rails, before that for cards. */
  readonly rails?: readonly PaymentRail[]
  readonly amount?: number
  /** Adds the routes of the host, which the owner of the shop sells. */
  readonly addRoutes?: (app: FastifyInstance, seller: () => number) => void
}

/** A host whose public address is where it listens, with one shop. */
async function startHost(name: string, { challengeOrder, rails = [], amount = 5, addRoutes }: HostOptions = {}) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { storage, close } = await openStorage()
  const app = Fastify()
  await app.register(eep, {
    modules: everything(),
    publicUrl: url,
    secret: SECRET,
    storage,
    payments: { rails: [...rails, cardRailOn(stripe)], challengeOrder, settlementLeaseMs: 60_000 },
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  let seller = 0
  addRoutes?.(app, () => seller)
  await app.listen({ port, host: '127.0.0.1' })
  hosts.push(async () => {
    app.server.closeAllConnections()
    await app.close()
    await close()
  })
  const shop = await openShop(app, name, { amount, currency: 'usd' })
  seller = shop.profileId
  return { url, shop, page: `${url}${shop.paid}` }
}

/** The official client, and how many tokens it had made. */
function buyer(paymentMethod = 'pm_card_visa') {
  const tokens: string[] = []
  const client = Mppx.create({
    polyfill: false,
    methods: [
      stripeMethods({
        paymentMethod,
        createToken: async ({ amount, currency, expiresAt, paymentMethod: card }) => {
          const { id } = stripe.grant({ paymentMethod: card, currency, maxAmount: Number(amount), expiresAt })
          tokens.push(id)
          return id
        },
      }),
    ],
  })
  return { client, tokens }
}

/** The amount that was charged while something ran. */
async function charged<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const before = stripe.charges().length
  const result = await work()
  return [result, stripe.charges().length - before]
}

describe.each(['eep-first', 'payment-first'] as const)('the mppx client, challenges %s', (order) => {
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    host = await startHost(`mpp-${order}`, { challengeOrder: order })
  })

  it('buys a page and reads its receipt', async () => {
    const { client, tokens } = buyer()
    const [response, charges] = await charged(() => client.fetch(host.page))
    expect(response.status).toBe(200)
    expect(Receipt.fromResponse(response)).toMatchObject({ method: 'stripe', status: 'success' })
    expect(await response.text()).toContain(SECRET_WORD)
    expect([tokens.length, charges]).toEqual([1, 1])
  })

  it('keeps the session of a signed-in user', async () => {
    const { client } = buyer()
    const [response, charges] = await charged(() => client.fetch(host.page, { headers: host.shop.headers }))
    // The seller's own session opens the page without a payment.
    expect([response.status, charges]).toEqual([200, 0])
  })

  it('gives up on a card that is declined, and nothing is charged', async () => {
    const { client } = buyer('pm_card_chargeDeclined')
    const [response, charges] = await charged(() => client.fetch(host.page))
    expect([response.status, charges]).toEqual([402, 0])
  })

  it('makes one token when Stripe takes the money and its answer is lost', async () => {
    const { client, tokens } = buyer()
    stripe.failNext(TAKING, 'hang_after')
    const [response, charges] = await charged(() => client.fetch(host.page))
    expect(response.status).toBe(503)
    expect([tokens.length, charges]).toEqual([1, 1])
  })
})

describe('two rails on one 402', () => {
  let chain: LocalChain
  let host: Awaited<ReturnType<typeof startHost>>

  beforeAll(async () => {
    chain = await startLocalChain()
    const { rpcUrl, wallets } = chain
    const network = 'base-sepolia'
    const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
    const rail = x402Rail({ network, rpcUrl, facilitator, payTo: wallets.platform.address })
    host = await startHost('mpp-both', { rails: [rail], amount: 0.5 })
  })
  afterAll(() => chain.stop())

  it('offer both, in the order the agent prefers', async () => {
    const schemes = async (capabilities: string) => {
      const response = await fetch(host.page, { headers: { 'x-eep-agent-capabilities': capabilities } })
      const required = JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString())
      expect(response.headers.get('www-authenticate')).toMatch(/^EEP .*Payment id=/)
      return required.accepts.map(({ scheme }: { scheme: string }) => scheme)
    }
    expect(await schemes('')).toEqual(['exact', 'stripe-mpp'])
    expect(await schemes('stripe-mpp, x402')).toEqual(['stripe-mpp', 'exact'])
    expect(await schemes('nonsense,, x402')).toEqual(['exact', 'stripe-mpp'])
  })

  it.each(['x402', 'stripe-mpp'])('let each client pay with its own, with %s preferred', async (preferred) => {
    const headers = { 'x-eep-agent-capabilities': preferred }
    const payer = await chain.newPayer(1_000_000n)
    const wallet = new x402Client().register('eip155:*', new ExactEvmScheme(payer.account))
    const [byChain, none] = await charged(() => wrapFetchWithPayment(fetch, wallet)(host.page, { headers }))
    expect([byChain.status, none, await chain.balanceOf(payer.address)]).toEqual([200, 0, 500_000n])
    expect(await byChain.text()).toContain(SECRET_WORD)

    const [byCard, one] = await charged(() => buyer().client.fetch(host.page, { headers }))
    expect([byCard.status, one]).toEqual([200, 1])
    expect(await byCard.text()).toContain(SECRET_WORD)
  })
})

const mppx = join(dirname(createRequire(import.meta.url).resolve('mppx')), 'bin.js')

async function run(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [mppx, ...args], {
    env: {
      ...process.env,
      MPPX_STRIPE_SPT_URL: `${stripe.url}/v1/test_helpers/shared_payment/granted_tokens`,
      MPPX_STRIPE_SECRET_KEY: 'sk_test_fake',
      CI: '1',
      NO_COLOR: '1',
    },
    timeout: 25_000,
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`mppx failed:\n${error.stdout}\n${error.stderr}`)
  })
  return stdout
}

/** Sells a POST route for 5 usd. */
const sellRendering = (app: FastifyInstance, profile: () => number) => {
  const price = { amount: 5, currency: 'usd', per: 'request' } as const
  const sold = app.eep.paidRoute({ profile, resource: 'api.render', price })
  app.post('/render', sold, async ({ body }) => ({ rendered: body }))
}

describe('a paid POST', () => {
  it('is bought once by the mppx client, bound to its content', async () => {
    const host = await startHost('mpp-post', { addRoutes: sellRendering })
    const { client, tokens } = buyer()
    const body = JSON.stringify({ text: 'one' })
    const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    const refused = await fetch(`${host.url}/render`, request)
    expect(refused.headers.get('www-authenticate')).toContain('digest="sha-256=:')
    const [response, charges] = await charged(() => client.fetch(`${host.url}/render`, request))
    expect([response.status, await response.json()]).toEqual([200, { rendered: { text: 'one' } }])
    expect(Receipt.fromResponse(response)).toMatchObject({ method: 'stripe', status: 'success' })
    expect([tokens.length, charges]).toEqual([1, 1])
  })

  it('has nothing wrong for the mppx validator', async () => {
    const host = await startHost('mpp-post-validate', { challengeOrder: 'payment-first', addRoutes: sellRendering })
    const body = JSON.stringify({ text: 'one' })
    const [output, charges] = await charged(() => run('validate', host.url, '-e', 'POST:/render', '--body', body))
    expect(output).not.toMatch(/[✗⚠]/)
    expect(output).toContain('Payment [stripe]: successful (HTTP 200)')
    expect(charges).toBe(1)
  })
})

describe('the mppx command', () => {
  it('buys a page', async () => {
    const host = await startHost('mpp-command')
    const [output, charges] = await charged(() => run(host.page, '-M', 'paymentMethod=pm_card_visa'))
    expect(output).toContain(SECRET_WORD)
    expect(charges).toBe(1)
  })

  it('finds nothing wrong', async () => {
    const host = await startHost('mpp-validate', { challengeOrder: 'payment-first' })
    const [output, charges] = await charged(() => run('validate', host.url, '-e', `GET:${host.shop.paid}`))
    expect(output).not.toMatch(/[✗⚠]/)
    expect(Number(/Summary: (\d+) passed/.exec(output)?.[1])).toBeGreaterThanOrEqual(18)
    expect(output).toContain('Payment [stripe]: successful (HTTP 200)')
    expect(charges).toBe(1)
  })

  it.each(['site', 'profile'])('finds nothing wrong in what the %s lists, and buys all of it', async (which) => {
    const host = await startHost(`mpp-lists-${which}`, { challengeOrder: 'payment-first' })
    const url = which === 'site' ? host.url : `${host.url}${host.shop.profile}`
    const [output, charges] = await charged(() => run('validate', url))
    expect(output).not.toMatch(/[✗]/)
    for (const path of [host.shop.paid, host.shop.other]) {
      expect(output).toContain(which === 'site' ? `GET ${path}` : `GET ${path.slice(host.shop.profile.length)}`)
    }
    // The site also lists a template, whose example was bought already.
    expect(charges).toBeGreaterThanOrEqual(2)
  })
})
