import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPaidRoutes, outcomeOf, RENDERED } from '../../support/paid-routes.ts'
import { decodeHeader, header } from '../../support/shop.ts'

const PRICE = 250_000n
const RENDER = 'POST /render'

async function open(
  options: Parameters<typeof openPaidRoutes>[0][string] = {},
  more: Parameters<typeof openPaidRoutes>[1] = {},
) {
  const test = await openPaidRoutes({ [RENDER]: { charge: 'after', ...options } }, more)
  onTestFinished(() => test.close())
  return test
}

describe('a request that is charged after its answer', () => {
  it('is offered for five minutes, and charged once when it was answered', async () => {
    const test = await open()
    const asked = await test.send(RENDER, { text: 'a' })
    const [accept] = decodeHeader(asked, 'payment-required').accepts
    expect([accept.extra.paymentFlow, accept.maxTimeoutSeconds]).toEqual([undefined, 300])
    test.renderer.on('/render', () => {
      expect(test.earned()).toBe(0n)
      return { result: RENDERED }
    })
    const credential = test.cashWallets.answer(header(asked, 'payment-required'))
    const paid = await test.send(RENDER, { text: 'a' }, credential)
    expect([paid.statusCode, paid.json()]).toEqual([200, { result: RENDERED }])
    expect(decodeHeader(paid, 'payment-response')).toMatchObject({ success: true, amount: `${PRICE}` })
    expect(header(paid, 'payment-receipt')).not.toBe('')
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(402)
    expect([test.earned(), test.renderer.runs.length]).toEqual([PRICE, 1])
  })

  it.each([400, 404, 500])('costs nothing when it is answered with %d', async (status) => {
    const test = await open()
    test.renderer.on('/render', (_request, reply) => reply.code(status).send({ sorry: true }))
    const credential = await test.payment(RENDER, { text: 'a' })
    const answer = await test.send(RENDER, { text: 'a' }, credential)
    expect([answer.statusCode, answer.json()]).toEqual([status, { sorry: true }])
    expect(decodeHeader(answer, 'payment-response')).toMatchObject({
      success: false,
      errorReason: status === 500 ? 'handler_failed' : 'not_used',
    })
    expect(test.earned()).toBe(0n)
    // The signature is unspent.
    test.renderer.on('/render', () => ({ result: RENDERED }))
    expect((await test.send(RENDER, { text: 'b' }, credential)).statusCode).toBe(200)
    expect(test.earned()).toBe(PRICE)
  })

  it('costs nothing when the handler throws or takes too long', async () => {
    const test = await open({ handlerTimeoutMs: 50 })
    test.renderer.on('/render', () => {
      throw new Error('broken')
    })
    expect((await test.pay(RENDER, { text: 'a' })).statusCode).toBe(500)
    const { promise, resolve } = Promise.withResolvers<string>()
    test.renderer.on('/render', () => promise)
    expect(outcomeOf(await test.pay(RENDER, { text: 'b' }))).toEqual([504, 'handler_timeout'])
    resolve('late')
    await promise
    expect(test.earned()).toBe(0n)
  })

  it('releases nothing when the payment is refused after the handler', async () => {
    const test = await open()
    test.renderer.on('/render', (_request, reply) =>
      reply
        .header('x-result', RENDERED)
        .header('set-cookie', `r=${encodeURIComponent(RENDERED)}`)
        .send({ result: RENDERED }),
    )
    test.cashWallets.next('settle', { refuse: 'insufficient_funds' })
    const credential = await test.payment(RENDER, { text: 'a' }, { wallet: 'wallet:empty' })
    const refused = await test.send(RENDER, { text: 'a' }, credential)
    expect(outcomeOf(refused)).toEqual([402, 'payment_required', 'insufficient_funds'])
    expect(decodeHeader(refused, 'payment-response').errorReason).toBe('insufficient_funds')
    expect(decodeHeader(refused, 'payment-required').accepts).toHaveLength(1)
    expect(refused.body + JSON.stringify(refused.headers)).not.toContain('rendered')
    expect(test.earned()).toBe(0n)

    // For a day this wallet pays first.
    test.renderer.on('/render', () => {
      expect(test.earned()).toBe(PRICE)
      return { result: RENDERED }
    })
    expect((await test.pay(RENDER, { text: 'b' }, { wallet: 'wallet:empty' })).statusCode).toBe(200)
  })

  it('keeps the answer while the outcome is unknown, and delivers it to the same credential without a second run', async () => {
    const test = await open()
    test.cashWallets.next('settle', { lose: 'answer' })
    test.cashWallets.next('recover', { lose: 'request' })
    const credential = await test.payment(RENDER, { text: 'a' })
    const pending = await test.send(RENDER, { text: 'a' }, credential)
    expect(outcomeOf(pending)).toEqual([503, 'settlement_pending', 'settlement_pending'])
    expect(pending.body).not.toContain(RENDERED)
    expect(header(pending, 'payment-required')).toBe('')
    await expect.poll(async () => (await test.send(RENDER, { text: 'a' }, credential)).json().result).toBe(RENDERED)
    expect([test.earned(), test.renderer.runs.length]).toEqual([PRICE, 1])
    await expect.poll(async () => (await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(402)
  })

  it('is charged and run once for twenty copies of one credential', async () => {
    const test = await open()
    const credential = await test.payment(RENDER, { text: 'copies' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.send(RENDER, { text: 'copies' }, credential)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect([test.renderer.runs.length, test.earned()]).toEqual([1, PRICE])
  })

  it('refuses streams and large answers without a charge', async () => {
    const test = await open({ maxAnswerBytes: 100 })
    const source = Readable.from([RENDERED])
    test.renderer.on('/render', (_request, reply) => reply.send(source))
    const stream = await test.pay(RENDER, { text: 'a' })
    expect(outcomeOf(stream)).toEqual([500, 'answer_too_large'])
    expect(source.destroyed).toBe(true)
    test.renderer.on('/render', () => RENDERED.repeat(20))
    const large = await test.pay(RENDER, { text: 'b' })
    expect(outcomeOf(large)).toEqual([500, 'answer_too_large'])
    expect([test.earned(), (stream.body + large.body).includes(RENDERED)]).toEqual([0n, false])
  })

  it('does not let its handler write past the charge', async () => {
    const test = await open()
    test.renderer.on('/render', (_request, reply) => {
      reply.hijack()
      reply.raw.end(RENDERED)
      return reply
    })
    const answer = await test.pay(RENDER, { text: 'a' })
    expect([answer.statusCode, answer.body.includes(RENDERED), test.earned()]).toEqual([500, false, 0n])
  })
})

describe('the limits of a payer', () => {
  it('has at most as many requests running as the owner allows', async () => {
    const test = await open({ maxOpen: 2 })
    const { promise, resolve } = Promise.withResolvers<string>()
    let running = 0
    test.renderer.on('/render', () => {
      running += 1
      return promise
    })
    const first = ['a', 'b'].map((text) => test.pay(RENDER, { text }))
    await expect.poll(() => running).toBe(2)
    const third = await test.payment(RENDER, { text: 'c' })
    const refused = await test.send(RENDER, { text: 'c' }, third)
    expect(outcomeOf(refused)).toEqual([429, 'too_many_open_payments'])
    expect(header(refused, 'retry-after')).toBe('1')
    const other = test.pay(RENDER, { text: 'c' }, { wallet: 'wallet:other' })
    await expect.poll(() => running).toBe(3)
    resolve('done')
    expect((await Promise.all([...first, other])).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await test.send(RENDER, { text: 'c' }, third)).statusCode).toBe(200)
    expect(test.earned()).toBe(4n * PRICE)
  })

  it('reserves no more than its wallet has', async () => {
    const test = await open()
    const wallet = 'wallet:small'
    test.cashWallets.fund(wallet, 2n * PRICE)
    const { promise, resolve } = Promise.withResolvers<string>()
    let running = 0
    test.renderer.on('/render', () => {
      running += 1
      return promise
    })
    const credentials = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => test.payment(RENDER, { text }, { wallet })),
    )
    const sent = credentials.map((credential, index) => test.send(RENDER, { text: 'abcd'[index] }, credential))
    await expect.poll(() => running).toBeGreaterThan(0)
    resolve('done')
    const answers = await Promise.all(sent)
    const served = answers.filter(({ statusCode }) => statusCode === 200).length
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(2)
    expect(running).toBe(served)
    expect(test.earned()).toBe(BigInt(served) * PRICE)
  })

  it('pays first after twenty answers that were not sold', async () => {
    const test = await open()
    test.renderer.on('/render', (_request, reply) => reply.code(404).send({}))
    const wallet = 'wallet:oracle'
    const credential = await test.payment(RENDER, { text: 'is it there?' }, { wallet })
    for (let asked = 0; asked < 20; asked++) {
      expect((await test.send(RENDER, { text: `is ${asked} there?` }, credential)).statusCode).toBe(404)
    }
    expect(test.earned()).toBe(0n)
    expect((await test.send(RENDER, { text: 'and this?' }, credential)).statusCode).toBe(404)
    expect(test.earned()).toBe(PRICE)
  })

  it('refuses a payment that ends before it could be taken', async () => {
    const test = await open()
    const refused = await test.pay(RENDER, { text: 'a' }, { validSeconds: 40 })
    expect(outcomeOf(refused)).toEqual([402, 'payment_required', 'payment_expires_too_soon'])
    expect(test.renderer.runs).toEqual([])
  })
})
