import { describe, expect, it, onTestFinished } from 'vitest'
import { contentDigest, openPaidRoutes, outcomeOf, RENDERED } from '../../support/paid-routes.ts'
import { decodeHeader, header } from '../../support/shop.ts'

const PRICE = 250_000n
const RENDER = 'POST /render'
const schema = { body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } }

async function open(
  options: Parameters<typeof openPaidRoutes>[0][string] = {},
  more: Parameters<typeof openPaidRoutes>[1] = {},
) {
  const test = await openPaidRoutes({ [RENDER]: { schema, ...options } }, more)
  onTestFinished(() => test.close())
  return test
}

describe('a paid POST', () => {
  it('gets the price before its body is parsed, pays, runs the handler once and is not served again', async () => {
    const test = await open()
    const asked = await test.send(RENDER, { wrong: true })
    expect(outcomeOf(asked)).toEqual([402, 'payment_required'])
    expect(header(asked, 'cache-control')).toContain('no-store')
    expect(test.renderer.runs).toEqual([])

    const credential = await test.payment(RENDER, { text: 'one' })
    const paid = await test.send(RENDER, { text: 'one' }, credential)
    expect([paid.statusCode, paid.json().result]).toEqual([200, RENDERED])
    expect(decodeHeader(paid, 'payment-response')).toMatchObject({ success: true, amount: `${PRICE}` })
    expect(header(paid, 'cache-control')).toBe('private, no-store')
    expect(test.earned()).toBe(PRICE)
    const again = await test.send(RENDER, { text: 'one' }, credential)
    expect([again.statusCode, again.json().error.details]).toMatchObject([402, { already_settled: true }])
    expect(decodeHeader(again, 'payment-response').errorReason).toBe('credential_already_used')
    expect([test.renderer.runs, test.earned()]).toEqual([[{ text: 'one' }], PRICE])
    expect(test.renderer.payments[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('states in its offer that it is settled before it is handled', async () => {
    const test = await open()
    const [accept] = decodeHeader(await test.send(RENDER, { text: 'a' }), 'payment-required').accepts
    expect([accept.extra.paymentFlow, accept.maxTimeoutSeconds]).toEqual(['upfront', 120])
  })

  it('is validated before its payment is taken', async () => {
    const test = await open()
    const credential = await test.payment(RENDER, { text: 'a' })
    expect(outcomeOf(await test.send(RENDER, { text: [] }, credential))[0]).toBe(400)
    expect(outcomeOf(await test.send(RENDER, { other: 1 }, credential))[0]).toBe(400)
    const text = { 'content-type': 'application/xml' }
    expect(outcomeOf(await test.send(RENDER, '<a/>', { ...credential, ...text }))[0]).toBe(415)
    expect([test.earned(), test.renderer.runs]).toEqual([0n, []])
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(200)
  })

  it('runs nothing for another body with a used credential', async () => {
    const test = await open()
    const credential = await test.payment(RENDER, { text: 'cheap' })
    const both = await Promise.all(['cheap', 'other'].map((text) => test.send(RENDER, { text }, credential)))
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 402])
    expect([test.renderer.runs.length, test.earned()]).toEqual([1, PRICE])
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

  it('does not wait for other requests of the same wallet', async () => {
    const test = await open()
    const { promise, resolve } = Promise.withResolvers<void>()
    let running = 0
    test.renderer.on('/render', async () => {
      running += 1
      if (running === 12) resolve()
      await promise
      return 'ok'
    })
    const texts = Array.from({ length: 12 }, (_, index) => ({ text: `${index}` }))
    const answers = await Promise.all(texts.map((text) => test.pay(RENDER, text)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(texts.map(() => 200))
    expect(test.earned()).toBe(12n * PRICE)
  })

  it('compares its content with Content-Digest', async () => {
    const test = await open()
    const body = JSON.stringify({ text: 'a' })
    const json = { 'content-type': 'application/json' }
    const wrong = { ...json, 'content-digest': contentDigest('other') }
    expect(outcomeOf(await test.send(RENDER, body, wrong))).toEqual([400, 'content_digest_mismatch'])
    const right = { ...json, 'content-digest': contentDigest(body, 'sha-512') }
    const credential = await test.payment(RENDER, body, {}, json)
    expect(outcomeOf(await test.send(RENDER, body, { ...wrong, ...credential }))[0]).toBe(400)
    expect(test.earned()).toBe(0n)
    expect((await test.send(RENDER, body, { ...right, ...credential })).statusCode).toBe(200)
  })

  it('is not read when it is large and not paid', async () => {
    const test = await open({ maxUnpaidBytes: 100 })
    const large = { text: 'x'.repeat(200) }
    const refused = await test.send(RENDER, large)
    expect([refused.statusCode, header(refused, 'connection')]).toEqual([402, 'close'])
    const credential = test.cashWallets.answer(header(refused, 'payment-required'))
    expect((await test.send(RENDER, large, credential)).statusCode).toBe(200)
    const huge = await test.send(RENDER, { text: 'x'.repeat(1_100_000) })
    expect(outcomeOf(huge)).toEqual([413, 'payload_too_large'])
  })

  it('costs what its content costs, computed again for the payment', async () => {
    const test = await open({
      price: (_request, content) => ({
        amount: (content?.length ?? 0) > 100 ? 5 : 0.25,
        currency: 'usdc',
        per: 'request',
      }),
    })
    const cheap = await test.payment(RENDER, { text: 'a' })
    const dear = await test.send(RENDER, { text: 'x'.repeat(200) }, cheap)
    expect(outcomeOf(dear)[0]).toBe(402)
    expect(decodeHeader(dear, 'payment-required').accepts[0].amount).toBe('5000000')
    expect([test.earned(), test.renderer.runs]).toEqual([0n, []])
    expect((await test.send(RENDER, { text: 'a' }, cheap)).statusCode).toBe(200)
  })

  it('does not run when the storage fails before the claim', async () => {
    const test = await open()
    const credential = await test.payment(RENDER, { text: 'a' })
    const { storage } = test
    const transaction = storage.transaction.bind(storage)
    Object.assign(storage, { transaction: () => Promise.reject(new Error('connection lost')) })
    const failed = await test.send(RENDER, { text: 'a' }, credential)
    Object.assign(storage, { transaction })
    expect(failed.statusCode).toBe(503)
    expect([test.earned(), test.renderer.runs]).toEqual([0n, []])
  })
})

describe('what its handler does', () => {
  it('repeats a failed request without a second charge, and refuses it once delivered', async () => {
    const test = await open()
    let fails = true
    test.renderer.on('/render', () => {
      if (fails) throw new Error('the renderer broke')
      return { result: RENDERED }
    })
    const credential = await test.payment(RENDER, { text: 'a' })
    const failed = await test.send(RENDER, { text: 'a' }, credential)
    expect(failed.statusCode).toBe(500)
    expect(header(failed, 'payment-receipt')).toBe('')
    fails = false
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(200)
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(402)
    expect(test.earned()).toBe(PRICE)
  })

  it('lets a rejected request be corrected with the same payment, three times', async () => {
    const test = await open()
    test.renderer.on('/render', (request, reply) =>
      (request.body as { text: string }).text === 'good' ? 'ok' : reply.code(422).send({ wrong: true }),
    )
    const credential = await test.payment(RENDER, { text: 'bad' })
    expect((await test.send(RENDER, { text: 'bad' }, credential)).statusCode).toBe(422)
    await expect.poll(async () => (await test.send(RENDER, { text: 'worse' }, credential)).statusCode).toBe(422)
    await expect.poll(async () => (await test.send(RENDER, { text: 'good' }, credential)).statusCode).toBe(200)
    expect([test.renderer.runs.length, test.earned()]).toEqual([3, PRICE])

    const spent = await test.payment(RENDER, { text: 'bad' }, { wallet: 'wallet:stubborn' })
    for (const text of ['bad', 'bad two', 'bad three']) {
      await expect.poll(async () => (await test.send(RENDER, { text }, spent)).statusCode).toBe(422)
    }
    await expect.poll(async () => (await test.send(RENDER, { text: 'good' }, spent)).statusCode).toBe(402)
  })

  it('does not correct a rejected request with one that costs more', async () => {
    const test = await open({
      price: (_request, content) => ({
        amount: (content?.length ?? 0) > 100 ? 5 : 0.25,
        currency: 'usdc',
        per: 'request',
      }),
    })
    test.renderer.on('/render', (_request, reply) => reply.code(400).send({}))
    const credential = await test.payment(RENDER, { text: 'bad' })
    expect((await test.send(RENDER, { text: 'bad' }, credential)).statusCode).toBe(400)
    const dear = await test.send(RENDER, { text: 'x'.repeat(200) }, credential)
    expect(dear.json().error.details).toMatchObject({ reason: 'credential_already_used' })
    expect(test.renderer.runs).toHaveLength(1)
  })

  it('uses money that is owed for another request of the payer, and leaves the new signature unspent', async () => {
    const test = await open()
    let fails = true
    test.renderer.on('/render', (_request, reply) => (fails ? reply.code(503).send({}) : { result: RENDERED }))
    expect((await test.pay(RENDER, { text: 'a' }, { wallet: 'wallet:owed' })).statusCode).toBe(503)
    // It is recorded after the answer.
    const lastOutcome = async () =>
      (await test.storage.read.paidRequests?.get(String(test.renderer.payments[0])))?.lastOutcome
    await expect.poll(lastOutcome).toBe('failed')
    fails = false
    const unspent = await test.payment(RENDER, { text: 'b' }, { wallet: 'wallet:owed' })
    expect((await test.send(RENDER, { text: 'b' }, unspent)).statusCode).toBe(200)
    expect(test.earned()).toBe(PRICE)
    expect((await test.send(RENDER, { text: 'c' }, unspent)).statusCode).toBe(200)
    expect(test.earned()).toBe(2n * PRICE)
    // Another wallet is owed nothing.
    expect((await test.pay(RENDER, { text: 'd' }, { wallet: 'wallet:other' })).statusCode).toBe(200)
    expect(test.earned()).toBe(3n * PRICE)
  })

  it('does not use money that is owed for a request that costs more', async () => {
    const test = await open({
      price: (_request, content) => ({
        amount: (content?.length ?? 0) > 100 ? 5 : 0.25,
        currency: 'usdc',
        per: 'request',
      }),
    })
    test.renderer.on('/render', (_request, reply) => reply.code(500).send({}))
    const wallet = 'wallet:dear'
    await test.pay(RENDER, { text: 'a' }, { wallet })
    await test.pay(RENDER, { text: 'x'.repeat(200) }, { wallet })
    expect(test.earned()).toBe(PRICE + 5_000_000n)
  })

  it('serves an account the money it is owed without a new payment', async () => {
    const test = await open()
    const { headers } = test.seller
    const { signUp } = await import('../../support/accounts.ts')
    const buyer = await signUp(test.app)
    expect(headers).not.toEqual(buyer.headers)
    let fails = true
    test.renderer.on('/render', (_request, reply) => (fails ? reply.code(500).send({}) : { result: RENDERED }))
    expect((await test.pay(RENDER, { text: 'a' }, {}, buyer.headers)).statusCode).toBe(500)
    fails = false
    await expect.poll(async () => (await test.send(RENDER, { text: 'b' }, buyer.headers)).statusCode).toBe(200)
    expect((await test.send(RENDER, { text: 'c' }, buyer.headers)).statusCode).toBe(402)
    expect(test.earned()).toBe(PRICE)
  })

  it('counts the answers that the owner sells as delivered', async () => {
    const test = await open({ sold: (status) => status < 400 || status === 404 })
    test.renderer.on('/render', (_request, reply) => reply.code(404).send({ known: false }))
    const credential = await test.payment(RENDER, { text: 'a' })
    expect((await test.send(RENDER, { text: 'a' }, credential)).statusCode).toBe(404)
    await expect
      .poll(async () => (await test.send(RENDER, { text: 'a' }, credential)).json()?.error?.code)
      .toBe('payment_required')
  })

  it('ends a handler that takes too long, and repeats it free of charge', async () => {
    const test = await open({ handlerTimeoutMs: 50 })
    const { promise, resolve } = Promise.withResolvers<string>()
    test.renderer.on('/render', () => promise)
    const credential = await test.payment(RENDER, { text: 'slow' })
    const late = await test.send(RENDER, { text: 'slow' }, credential)
    resolve('late')
    expect(outcomeOf(late)).toEqual([504, 'handler_timeout'])
    test.renderer.on('/render', () => 'in time')
    await expect.poll(async () => (await test.send(RENDER, { text: 'slow' }, credential)).body).toBe('in time')
    expect(test.earned()).toBe(PRICE)
  })
})
