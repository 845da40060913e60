import { cashRail, createCashWallets } from '@eep/core/testing'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { openPaidRoutes, outcomeOf, RENDERED } from '../../support/paid-routes.ts'
import { header } from '../../support/shop.ts'

const PRICE = 250_000n
const DEAR = 5_000_000n
const RENDER = 'POST /render'
/** A price that depends on something else than the content. */
const byHeader = ({ headers }: FastifyRequest) =>
  ({ amount: headers['x-dear'] === undefined ? 0.25 : 5, currency: 'usdc', per: 'request' }) as const

async function open(...given: Parameters<typeof openPaidRoutes>) {
  const test = await openPaidRoutes(...given)
  onTestFinished(() => test.close())
  return test
}

describe('a payment that is used again', () => {
  it('does not run a dearer request after a rejected one, with the same credential or a new one', async () => {
    const test = await open({ [RENDER]: { price: byHeader } })
    test.renderer.on('/render', (_request, reply) => reply.code(422).send({}))
    const credential = await test.payment(RENDER, { text: 'a' })
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(422)
    const dear = await test.send(RENDER, { text: 'a' }, { ...credential, 'x-dear': 'yes' })
    expect([dear.statusCode, test.renderer.runs.length]).toEqual([402, 1])
    expect((await test.pay(RENDER, { text: 'a' }, {}, { 'x-dear': 'yes' })).statusCode).toBe(422)
    expect(test.earned()).toBe(PRICE + DEAR)
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(422)
    expect([test.renderer.runs.length, test.earned()]).toEqual([3, PRICE + DEAR])
  })

  it('does not prove the wallet that paid to an account that is owed its money', async () => {
    const test = await open({ [RENDER]: {} })
    const buyer = await signUp(test.app)
    let fails = true
    test.renderer.on('/render', (_request, reply) => (fails ? reply.code(500).send({}) : { result: RENDERED }))
    await test.pay(RENDER, { text: 'a' }, { wallet: 'wallet:lent' }, buyer.headers)
    await test.pay(RENDER, { text: 'b' }, { wallet: 'wallet:own' })
    fails = false
    const owed = await test.send(RENDER, { text: 'c' }, buyer.headers)
    expect([owed.statusCode, String(owed.headers['set-cookie'] ?? '').includes('eep_payer_sig=')]).toEqual([200, false])
    const own = await test.pay(RENDER, { text: 'd' }, { wallet: 'wallet:own' })
    expect([own.statusCode, String(own.headers['set-cookie']).includes('eep_payer_sig=')]).toEqual([200, true])
    expect(test.earned()).toBe(2n * PRICE)
  })

  it('refuses another signature with the number of a refused one immediately', async () => {
    const test = await open({ [RENDER]: {} })
    test.cashWallets.next('settle', { refuse: 'insufficient_funds' })
    const [first, second] = [
      await test.payment(RENDER, { text: 'a' }, { nonce: 'n' }),
      await test.payment(RENDER, { text: 'a' }, { nonce: 'n', validSeconds: 60 }),
    ]
    expect(outcomeOf(await test.send(RENDER, { text: 'a' }, first))[2]).toBe('insufficient_funds')
    const before = test.cashWallets.calls.length
    expect(outcomeOf(await test.send(RENDER, { text: 'a' }, second))).toEqual([
      402,
      'payment_required',
      'invalid_payload',
    ])
    expect(test.cashWallets.calls.slice(before).filter((call) => call !== 'offer')).toEqual([])
  })

  it('opens the route to a public payment of a wallet that is entitled, and proves nothing', async () => {
    const cashWallets = createCashWallets()
    let isPublic = false
    const rail = { ...cashRail({ cashWallets }), isPublic: () => isPublic }
    const price = ({ headers }: FastifyRequest) =>
      ({ amount: 0.25, currency: 'usdc', per: headers['x-month'] === undefined ? 'request' : 'month' }) as const
    const test = await open({ [RENDER]: { price } }, { payments: { rails: [rail] } })
    const pay = async (headers = {}) => {
      const asked = await test.send(RENDER, { text: 'a' }, headers)
      const credential = cashWallets.answer(header(asked, 'payment-required'), { wallet: 'wallet:member' })
      return test.send(RENDER, { text: 'a' }, { ...headers, ...credential })
    }
    expect((await pay({ 'x-month': 'yes' })).statusCode).toBe(200)
    isPublic = true
    const paid = await pay()
    expect([paid.statusCode, String(paid.headers['set-cookie'] ?? '').includes('eep_payer_sig=')]).toEqual([200, false])
    expect(cashWallets.balance()).toBe(PRICE)
  })

  it('takes no money of a payment that another route sold, before it is refused', async () => {
    const test = await open({ [RENDER]: {} }, {}, (app, sellerId) => {
      const price = { amount: 0.25, currency: 'usdc', per: 'request' } as const
      const guard = app.eep.requireAccess({ profile: sellerId, resource: 'api.render', price })
      app.get('/plain', { onRequest: guard }, async () => 'plain')
    })
    test.cashWallets.next('settle', { lose: 'request' })
    const credential = await test.payment('GET /plain')
    expect((await test.send('GET /plain', undefined, credential)).statusCode).toBe(503)
    const refused = await test.send(RENDER, { text: 'a' }, credential)
    expect(outcomeOf(refused)).toEqual([402, 'payment_required', 'credential_already_used'])
    expect([test.earned(), test.renderer.runs]).toEqual([0n, []])
  })
})

it.each(['onRequest', 'preParsing', 'preHandler', 'onSend'] as const)(
  'does not start with a route that replaces %s of paidRoute',
  async (name) => {
    const price = { amount: 0.25, currency: 'usdc', per: 'request' } as const
    const opened = openPaidRoutes({}, {}, (app, sellerId) => {
      const sold = app.eep.paidRoute({ profile: sellerId, resource: 'api.render', price })
      app.route({
        method: 'POST',
        url: '/render',
        ...sold,
        [name]: async () => undefined,
        handler: async () => RENDERED,
      })
    })
    await expect(opened).rejects.toThrow(`POST /render replaces ${name} of paidRoute`)
  },
)
