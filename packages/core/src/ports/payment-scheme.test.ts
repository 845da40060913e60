import { describe, expect, it } from 'vitest'
import { challengeText } from '../kernel/auth-challenge.ts'
import {
  decodePaymentJson,
  encodePaymentJson,
  formatPaymentCredential,
  formatPaymentReceipt,
  parsePaymentAuthorization,
  parsePaymentChallenges,
} from './payment-scheme.ts'

const challenge = {
  id: 'abc.def',
  realm: 'id.example',
  method: 'stripe',
  intent: 'charge',
  request: encodePaymentJson({ currency: 'usd', amount: '500' }),
  expires: '2026-11-20T17:03:36.979Z',
}

const write = (parameters: Readonly<Record<string, string>>) => challengeText({ scheme: 'Payment', parameters })

describe('a challenge', () => {
  it('is read as it was written', () => {
    expect(parsePaymentChallenges(write(challenge))).toEqual([challenge])
    const odd = { ...challenge, description: 'a "quoted", back\\slashed = text' }
    expect(parsePaymentChallenges(write(odd))).toEqual([odd])
  })

  it('is found among challenges of other schemes, joined or separate', () => {
    const other = { ...challenge, id: 'other', method: 'tempo' }
    const values = ['EEP realm="gate", resource="/u/ada"', write(challenge), 'Bearer', write(other)]
    for (const header of [values, values.join(', '), [...values].reverse().join(',')]) {
      const ids = parsePaymentChallenges(header).map(({ id }) => id)
      expect(ids.sort()).toEqual(['abc.def', 'other'])
    }
    expect(parsePaymentChallenges('EEP realm="Payment id=1"')).toEqual([])
  })

  it('is looked for in linear time in a long header', () => {
    for (const part of ['A', '\\', 'a="\\"', ', ', 'a '])
      expect(parsePaymentChallenges(`\\${part.repeat(1_000_000)}`)).toEqual([])
  })
})

describe('a credential', () => {
  it('is read as it was written', () => {
    const written = formatPaymentCredential(challenge, { spt: 'spt_1' })
    expect(parsePaymentAuthorization(written)).toEqual({ is: 'credential', challenge, payload: { spt: 'spt_1' } })
    expect(parsePaymentAuthorization(written.replace('Payment ', 'payment   '))).toMatchObject({ is: 'credential' })
  })

  it('may be a bare token, which never counts as an answer to a challenge', () => {
    expect(parsePaymentAuthorization('Payment spt_1Abc')).toEqual({ is: 'token', token: 'spt_1Abc' })
    expect(parsePaymentAuthorization('Payment lightning:ab:cd')).toEqual({ is: 'token', token: 'lightning:ab:cd' })
  })

  it.each([
    'Payment',
    'Payment ',
    'Payment two words',
    `Payment ${'x'.repeat(600)}`,
    `Payment ${encodePaymentJson({})}`,
    `Payment ${encodePaymentJson({ challenge, payload: 'text' })}`,
    `Payment ${encodePaymentJson({ challenge: { ...challenge, id: 7 }, payload: {} })}`,
    `Payment ${encodePaymentJson({ challenge: { id: 'x' }, payload: {} })}`,
  ])('that is malformed is distinguished from none: %.40s', (value) => {
    expect(parsePaymentAuthorization(value)).toEqual({ is: 'malformed' })
  })

  it.each([undefined, '', 'Bearer x', 'Payments x', 'Basic Payment'])('%s is of another scheme', (value) => {
    expect(parsePaymentAuthorization(value)).toBeUndefined()
  })
})

describe('JSON in base64url', () => {
  it('is the same for equal values, without padding', () => {
    expect(encodePaymentJson({ b: [1, null], a: '?>' })).toBe(encodePaymentJson({ a: '?>', b: [1, null] }))
    expect(encodePaymentJson({ a: 1 })).not.toContain('=')
    expect(
      decodePaymentJson(formatPaymentReceipt({ method: 'm', reference: 'r', status: 'success', timestamp: 't' })),
    ).toEqual({
      method: 'm',
      reference: 'r',
      status: 'success',
      timestamp: 't',
    })
  })

  it.each(['e30=', 'bm8', '4oI', 'W10', 'IiI', 'e'.repeat(20_000)])('%.20s is none', (text) => {
    expect(decodePaymentJson(text)).toBeUndefined()
  })
})
