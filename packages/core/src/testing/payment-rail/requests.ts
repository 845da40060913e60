import assert from 'node:assert/strict'
import { type Credential, type CredentialHeaders, challengeIn, type RailOffer } from '../../ports/payment-rail.ts'
import type { TestRunner } from '../runner.ts'
import { isRefusal } from './outcome.ts'
import type { PaymentRailSubject } from './subject.ts'

/** Cases about payments for single requests of any method, for rails that have what they need. */
export function requestCases(it: TestRunner['it'], subjectOf: () => PaymentRailSubject): void {
  const digestOf = (letter: string) => Buffer.alloc(32, letter).toString('base64url')
  const boundTo = (letter: string, charge: 'before' | 'after' = 'before') => ({
    ...subjectOf().purchase,
    per: 'request' as const,
    bound: { method: 'POST', target: digestOf('t'), digest: digestOf(letter) },
    charge,
  })
  async function offerFor(purchase: ReturnType<typeof boundTo>): Promise<RailOffer> {
    const offer = await subjectOf().rail.offer(purchase)
    assert.ok(offer, 'the rail must offer a single request at the price of its subject')
    return offer
  }
  const read = (headers: CredentialHeaders): Credential => {
    const credential = subjectOf().rail.read(headers)
    assert.ok(credential)
    return credential
  }

  it('sells a request, and binds a challenge to its content', async () => {
    const { rail, pay } = subjectOf()
    const purchase = boundTo('a')
    const offer = await offerFor(purchase)
    const credential = read(await pay(offer))
    assert.equal(rail.matches(credential, purchase), true)
    const digest = challengeIn(offer)?.digest
    if (digest === undefined) return
    assert.match(digest, /^sha-256=:[A-Za-z0-9+/]{43}=:$/)
    assert.equal(rail.matches(credential, boundTo('b')), false, 'another content')
    assert.equal(rail.matches(credential, subjectOf().purchase), false, 'a request without content')
  })

  it('states until when a payment can wait, later than a handler may take', async () => {
    const { rail, pay } = subjectOf()
    const credential = read(await pay(await offerFor(boundTo('a', 'after'))))
    const until = rail.settleBy?.(credential)
    if (until !== undefined) assert.ok(until.getTime() > Date.now() + 200_000, `${until.toISOString()}`)
  })

  it('counts reserved payments against the balance of the payer', async () => {
    const { rail, payTwice } = subjectOf()
    if (!payTwice) return
    const purchase = boundTo('a', 'after')
    const [one, other] = (await payTwice(await offerFor(purchase))).map(read)
    assert.ok(one && other)
    await rail.verify(other, purchase, { reserved: [] })
    const reserved = [{ credential: one, purchase }]
    await assert.rejects(async () => rail.verify(other, purchase, { reserved }), isRefusal)
  })
}
