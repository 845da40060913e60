import { isEepError, paymentReason } from '@eep/core/ports'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Facilitator } from './facilitator.ts'
import { purchaseOf } from './testing/bench.ts'
import type { SignedPayment } from './testing/wallet.ts'
import { encodeHeader, signPayment, toV1Payment, walletOf } from './testing/wallet.ts'
import { x402Rail } from './x402-rail.ts'

const rail = x402Rail({
  network: 'base-sepolia',
  facilitator: {} as Facilitator,
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
})
const payer = walletOf(`0x${'11'.repeat(32)}`)

let good: SignedPayment
beforeAll(async () => {
  const offer = await rail.offer(purchaseOf())
  good = await signPayment(offer?.accept ?? {}, payer)
})

const read = (paymentSignature: string) => rail.read({ paymentSignature })

type Change = string | number | object | null | undefined | ((old: string) => string)

/** The good payment with one member changed, by its path; `undefined` removes it. */
const put = (path: string, change: Change): string => {
  // Members are replaced by values of other types.
  const payment = structuredClone(good) as unknown as Record<string, unknown>
  const parents = path.split('.')
  const last = parents.pop() ?? ''
  let at = payment
  for (const name of parents) at = at[name] as Record<string, unknown>
  at[last] = typeof change === 'function' ? change(String(at[last])) : change
  return encodeHeader(payment)
}
const header = () => encodeHeader(good)
const signed = (member: string, value: Change) => () => put(`payload.authorization.${member}`, value)

/** Headers that are not a payment. */
const tampered: Record<string, () => string> = {
  'an empty header': () => '',
  'not base64': () => 'not base64!',
  base64url: () => Buffer.from(JSON.stringify({ ...good, resource: '???>>>~~~' })).toString('base64url'),
  'a header sent twice': () => `${header()}, ${header()}`,
  'a header with a line break': () => `${header().slice(0, 40)}\n${header().slice(40)}`,
  'padding in the middle': () => `${header().slice(0, 40)}==${header().slice(40)}`,
  'half a header': () => header().slice(0, header().length / 2),
  'bytes that are not UTF-8': () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]).toString('base64'),
  'no JSON': () => Buffer.from('payment').toString('base64'),
  'JSON null': () => encodeHeader(null),
  'a JSON array': () => encodeHeader([good]),
  'a JSON number': () => encodeHeader(402),
  'a JSON string': () => encodeHeader('payment'),
  'an empty object': () => encodeHeader({}),
  'no version': () => put('x402Version', undefined),
  'no accepted offer': () => put('accepted', undefined),
  'an accepted offer that is a list': () => put('accepted', [good.accepted]),
  'an amount that is a number': () => put('accepted.amount', 10_000),
  'an extra that is a text': () => put('accepted.extra', 'USDC'),
  'a tier that is an object': () => put('accepted.extra.tier', {}),
  'no payload': () => put('payload', undefined),
  'a payload that is null': () => put('payload', null),
  'no authorization': () => put('payload.authorization', undefined),
  'a permit2 payload': () => {
    const permit2Authorization = { from: payer.address, permitted: { token: '0x', amount: '10000' } }
    return put('payload', { signature: good.payload.signature, permit2Authorization })
  },
  'a prototype instead of members': () =>
    Buffer.from(JSON.stringify(good).replace('"authorization"', '"__proto__"')).toString('base64'),
  'no signature': () => put('payload.signature', undefined),
  'a signature without 0x': () => put('payload.signature', (old) => old.slice(2)),
  'half a signature': () => put('payload.signature', (old) => old.slice(0, 66)),
  'a signature of an odd length': () => put('payload.signature', (old) => `${old}0`),
  'a value of 1e4': signed('value', '1e4'),
  'a negative value': signed('value', '-10000'),
  'a value with a plus': signed('value', '+10000'),
  'a value with zeros in front': signed('value', '010000'),
  'a value with a fraction': signed('value', '10000.0'),
  'a value in hexadecimal': signed('value', '0x2710'),
  'a value that is a number': signed('value', 10_000),
  'a value of 2^300': signed('value', (2n ** 300n).toString()),
  'a value that is missing': signed('value', undefined),
  'an empty value': signed('value', ''),
  'a validBefore that is a number': signed('validBefore', 1_795_196_901),
  'a validAfter with a space': signed('validAfter', ' 0'),
  'a short nonce': signed('nonce', '0x1234'),
  'a nonce that is a number': signed('nonce', 1),
  'a from that is a name': signed('from', 'alice.eth'),
  'a to of 19 bytes': signed('to', '0x70997970C51812dc3A010C7d01b50e0d17dc79'),
  'more than 8 KB': () => put('resource', { url: 'x'.repeat(9000) }),
}

describe('readPayment', () => {
  it.each(Object.entries(tampered))('refuses %s as invalid_payload', (_name, make) => {
    let thrown: unknown
    try {
      read(make())
    } catch (error) {
      thrown = error
    }
    if (!isEepError(thrown)) throw new Error(`read threw ${String(thrown)}`)
    expect(thrown.code).toBe('payment_refused')
    expect(paymentReason(thrown)).toBe('invalid_payload')
    expect(thrown.cause).toBeUndefined()
  })

  it.each([3, '2'])('leaves payments of version %j alone, which core refuses', (version) => {
    expect(read(put('x402Version', version))).toBeUndefined()
  })

  it('reads version 1 as the same credential, from either header, unless it is off', () => {
    const one = encodeHeader(toV1Payment(good))
    const { id, fingerprint } = read(header()) ?? {}
    expect(read(one)).toMatchObject({ id, fingerprint, proof: { v: 1, accepted: { amount: '10000' } } })
    expect(rail.read({ xPayment: one })).toMatchObject({ id, fingerprint })
    expect(rail.read({ paymentSignature: header(), xPayment: one })?.proof.v).toBeUndefined()
    const off = x402Rail({ network: 'base-sepolia', facilitator: {} as Facilitator, v1: false })
    expect(off.read({ xPayment: one })).toBeUndefined()
    expect(off.info?.v1Networks).toEqual([])
  })

  it('leaves payments of version 1 for other networks and schemes alone', () => {
    const payment = toV1Payment(good)
    for (const changes of [{ network: 'base' }, { scheme: 'upto' }, { network: 'solana' }]) {
      expect(rail.read({ xPayment: encodeHeader({ ...payment, ...changes }) })).toBeUndefined()
    }
    expect(() => rail.read({ xPayment: encodeHeader({ ...payment, payload: {} }) })).toThrow()
  })

  it('reads an alias of its network as the CAIP-2 name', () => {
    expect(read(put('accepted.network', 'base-sepolia'))?.proof.accepted.network).toBe('eip155:84532')
  })

  it('leaves payments for other rails alone', () => {
    expect(rail.read({})).toBeUndefined()
    expect(read(put('accepted.scheme', 'upto'))).toBeUndefined()
    expect(read(put('accepted.network', 'eip155:8453'))).toBeUndefined()
    expect(read(put('accepted.network', 'base'))).toBeUndefined()
    expect(read(put('accepted.asset', payer.address))).toBeUndefined()
    const foreign = { scheme: 'mpp', network: 'stripe:us', asset: 'usd', amount: 'any', payTo: 'acct_1' }
    expect(read(encodeHeader({ x402Version: 2, accepted: foreign, payload: {} }))).toBeUndefined()
  })

  it('names one authorization the same however it is spelled', () => {
    const one = read(header())
    const { from, nonce, validBefore } = good.payload.authorization
    expect(one).toMatchObject({
      id: `eip155:84532|0x036cbd53842c5426634e7929541ec2318f3dcf7e|${from.toLowerCase()}|${nonce}`,
      payer: { wallet: from.toLowerCase(), network: 'eip155:84532' },
      expiresAt: new Date(Number(validBefore) * 1000),
    })
    const { authorization, signature } = good.payload
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
    const shouted = put('payload', {
      authorization: { ...authorization, nonce: upper(nonce), from: from.toLowerCase() },
      signature: upper(signature),
    })
    expect(read(shouted)).toMatchObject({ id: one?.id, fingerprint: one?.fingerprint })
  })

  it('detects a copy with another signature or other terms by its fingerprint', () => {
    const one = read(header())
    for (const member of ['value', 'validAfter', 'validBefore']) {
      const other = read(signed(member, '7')())
      expect(other?.id).toBe(one?.id)
      expect(other?.fingerprint).not.toBe(one?.fingerprint)
    }
    const flipped = put(
      'payload.signature',
      (old) => `${old.slice(0, 10)}${old[10] === '0' ? '1' : '0'}${old.slice(11)}`,
    )
    expect(read(flipped)?.fingerprint).not.toBe(one?.fingerprint)
  })

  it('keeps nothing of a payment but what it needs', () => {
    const proof = read(encodeHeader({ ...good, resource: { url: 'x' }, extensions: { junk: 1 } }))?.proof
    expect(Object.keys(proof ?? {}).toSorted()).toEqual(['accepted', 'authorization', 'signature'])
    expect(proof?.accepted).toEqual({
      scheme: 'exact',
      network: 'eip155:84532',
      asset: good.accepted.asset,
      amount: '10000',
      payTo: good.accepted.payTo,
      tier: 'reader',
      per: 'request',
    })
    expect(JSON.parse(JSON.stringify(proof))).toEqual(proof)
  })
})

describe('matches', () => {
  const matches = (make: string, changes: Parameters<typeof purchaseOf>[0] = {}) => {
    const credential = read(make)
    return credential !== undefined && rail.matches(credential, purchaseOf(changes))
  }
  const lower = (old: string) => old.toLowerCase()

  it('finds the offer a payment was made for', () => {
    expect(matches(header())).toBe(true)
    expect(matches(header(), { price: { amount: '0.010', currency: 'usdc' } })).toBe(true)
  })

  it('tolerates lower-case addresses and an echo without extra', () => {
    expect(matches(put('accepted.payTo', lower))).toBe(true)
    expect(matches(put('accepted.asset', lower))).toBe(true)
    expect(matches(put('accepted.extra', undefined))).toBe(true)
    expect(matches(put('accepted.extra', null))).toBe(true)
    expect(matches(put('accepted.maxTimeoutSeconds', undefined))).toBe(true)
  })

  it('distinguishes offers with the same price by tier and per', () => {
    expect(matches(header(), { tier: 'patron' })).toBe(false)
    expect(matches(header(), { per: 'day' })).toBe(false)
    expect(matches(put('accepted.extra.tier', undefined), { tier: 'patron' })).toBe(true)
  })

  it('denies another amount, receiver or currency', () => {
    expect(matches(put('accepted.amount', '9999'))).toBe(false)
    expect(matches(put('accepted.payTo', payer.address))).toBe(false)
    expect(matches(header(), { price: { amount: '0.02', currency: 'usd' } })).toBe(false)
    expect(matches(header(), { price: { amount: '0.01', currency: 'eur' } })).toBe(false)
    expect(matches(header(), { payTo: { 'eip155:84532': payer.address } })).toBe(false)
  })
})
