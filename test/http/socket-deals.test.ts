import { describe, expect, it } from 'vitest'
import { didOf, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { openDeal, price } from '../support/deals.ts'
import { openInstances } from '../support/instances.ts'
import { type Frame, openSocket } from '../support/sockets.ts'

const { instance } = await openInstances()
const app = await instance()
const elsewhere = await instance()

const pulse = (headers: Record<string, string>) => openSocket(elsewhere, '/eep/pulse', { headers })

describe('a deal over sockets', () => {
  it('negotiates a deal by frames, and sends the moves to both parties', async () => {
    const [buyer, seller] = [await signUp(app), await signUp(app)]
    const [ours, theirs] = [await pulse(buyer.headers), await pulse(seller.headers)]
    for (const client of [ours, theirs]) {
      client.send('system', 'subscribe', { source_did: didOf(seller), types: ['commerce.*'] })
      await client.next('subscribed')
    }
    ours.send('commerce', 'offer', { seller_did: didOf(seller), service: 'Advice', pricing: price(90) })
    const { data: offered } = await ours.next('offer', ({ seq }) => seq === undefined)
    expect(offered).toMatchObject({ state: 'open', role: 'buyer', seller_did: didOf(seller) })
    const { negotiation_id } = offered
    expect(await theirs.next('offer')).toMatchObject({
      type: 'commerce',
      seq: 1,
      data: { negotiation_id, source_did: didOf(seller), event: { type: 'commerce.offer' } },
    })
    theirs.send('commerce', 'counter', { negotiation_id, pricing: price(80) })
    expect(await theirs.next('counter', ({ seq }) => seq === undefined)).toMatchObject({ data: { state: 'countered' } })
    expect(await ours.next('counter')).toMatchObject({ data: { negotiation_id, event: { type: 'commerce.counter' } } })
    ours.send('commerce', 'accept', { negotiation_id })
    expect(await ours.next('accept', ({ seq }) => seq === undefined)).toMatchObject({ data: { state: 'accepted' } })
    expect(await theirs.next('accept')).toMatchObject({ data: { event: { data: { state: 'accepted' } } } })
    await ours.close()
    await theirs.close()
  })

  it('sends a move to the other party with its action and state, without a subscription and only once', async () => {
    const [buyer, seller] = [await signUp(app), await signUp(app)]
    const [ours, theirs] = [await pulse(buyer.headers), await pulse(seller.headers)]
    ours.send('commerce', 'offer', { seller_did: didOf(seller), service: 'Advice', pricing: price(90) })
    const { negotiation_id } = (await ours.next('offer')).data
    expect(await theirs.next('offer')).toMatchObject({
      type: 'commerce',
      data: { negotiation_id, state: 'open', source_did: didOf(seller), event: { type: 'commerce.offer' } },
    })
    theirs.send('system', 'subscribe', { source_did: didOf(seller), types: ['commerce.*'] })
    await theirs.next('subscribed')
    theirs.send('commerce', 'counter', { negotiation_id, pricing: price(80) })
    expect(await ours.next('counter')).toMatchObject({ type: 'commerce', data: { negotiation_id, state: 'countered' } })
    ours.send('commerce', 'accept', { negotiation_id })
    expect(await theirs.next('accept')).toMatchObject({ seq: expect.any(Number), data: { state: 'accepted' } })
    await ours.next('accept')
    for (const client of [ours, theirs]) {
      client.send('system', 'ping')
      await client.next('pong')
      const isUnasked = ({ type, seq, data }: Frame) => type === 'commerce' && seq === undefined && data.event
      expect(client.frames.filter(isUnasked)).toEqual([])
      await client.close()
    }
  })

  it('sends no move to a key of the other party without the scope for negotiations', async () => {
    const [buyer, seller] = [await signUp(app), await signUp(app)]
    const key = await newKey(app, seller.headers, { scopes: ['read:events'] })
    const [reading, negotiating] = [await pulse(key.headers), await pulse(seller.headers)]
    const ours = await pulse(buyer.headers)
    ours.send('commerce', 'offer', { seller_did: didOf(seller), service: 'Advice', pricing: price(90) })
    await negotiating.next('offer')
    reading.send('system', 'ping')
    await reading.next('pong')
    expect(reading.frames.filter(({ type }) => type === 'commerce')).toEqual([])
    for (const each of [reading, negotiating, ours]) await each.close()
  })

  it('closes the connection with 4008 on a move that the state of the deal does not allow', async () => {
    const { buyer, id } = await openDeal(app)
    const client = await pulse(buyer.headers)
    client.send('commerce', 'receipt', {
      negotiation_id: id,
      receipt_id: 'slip',
      payment_proof: { type: 'bank', token: 'slip' },
    })
    expect(await client.next('error')).toMatchObject({ error: { code: 'invalid_transition' } })
    expect(await client.closed()).toEqual({ code: 4008, reason: 'invalid_transition' })
  })

  it('keeps the connection open after a move out of turn or an incomplete one', async () => {
    const { buyer, id } = await openDeal(app)
    const client = await pulse(buyer.headers)
    client.send('commerce', 'accept', { negotiation_id: id })
    expect(await client.next('error')).toMatchObject({
      error: { code: 'not_your_move' },
      data: { in_reply_to: { type: 'commerce', action: 'accept' } },
    })
    client.send('commerce', 'invoice', { negotiation_id: id, invoice_id: 1 })
    expect(await client.next('error')).toMatchObject({
      error: { code: 'validation_failed' },
      data: { details: { issues: expect.arrayContaining([expect.objectContaining({ path: '/invoice_id' })]) } },
    })
    client.send('commerce', 'accept', { negotiation_id: 'neg_0000000000000000' })
    expect(await client.next('error')).toMatchObject({ error: { code: 'negotiation_not_found' } })
    await client.close()
  })

  it('requires an API key with the scope for negotiations', async () => {
    const { buyer, id } = await openDeal(app)
    const key = await newKey(app, buyer.headers, { scopes: ['read:events'] })
    const client = await pulse(key.headers)
    client.send('commerce', 'reject', { negotiation_id: id })
    expect(await client.next('error')).toMatchObject({
      error: { code: 'insufficient_scope' },
      data: { details: { required: 'commerce:negotiate' } },
    })
    await client.close()
  })
})
