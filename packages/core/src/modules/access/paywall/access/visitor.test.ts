import { describe, expect, it } from 'vitest'
import type { SharedKey } from '../../../../kernel/keyring.ts'
import { readPayer } from '../../../../model/payer.ts'
import {
  buyerPayer,
  buyersIn,
  type Credentials,
  hasNoCredentials,
  isSignedPayer,
  NO_CREDENTIALS,
  parsePayer,
  signPayer,
  writePayer,
} from './visitor.ts'

const key = (fill: number): SharedKey => ({ kid: `k${fill}`, key: new Uint8Array(32).fill(fill) })
const payer = { wallet: '0xabc', network: 'eip155:84532' }
const now = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-08T00:00:00Z')

describe('a payer', () => {
  it('is read as it was written', () => {
    expect(parsePayer(writePayer(payer))).toEqual(payer)
  })
  it('is the same in any case of its address and under an alias of its network', () => {
    expect(readPayer('0xABC', 'base-sepolia')).toEqual(payer)
  })
  it.each(['', '0xabc', '0xabc|', '|eip155:1', '0xabc|eip155:1|x', '0x a|eip155:1', '0xabc|eip155', '0xabc|__proto__'])(
    'is not read from %j',
    (cookie) => {
      expect(parsePayer(cookie)).toBeUndefined()
    },
  )
})

describe('a buyer', () => {
  const hashes = ['a', 'b-_'].map((start) => start.padEnd(22, '0'))

  it('is read from a cookie and from nothing else', () => {
    const buyer = buyerPayer(hashes)
    expect(parsePayer(writePayer(buyer))).toEqual(buyer)
    expect(buyersIn(buyer)).toEqual(hashes)
    expect(readPayer(buyer.wallet, buyer.network)).toBeUndefined()
    expect(buyersIn({ ...buyer, network: 'eip155:1' })).toBeUndefined()
  })

  it.each(['', 'short', 'a'.repeat(23), `${'a'.repeat(22)}.`, Array(6).fill('a'.repeat(22)).join('.')])(
    'is not read from %j',
    (text) => {
      expect(parsePayer(`buyer_${text}|eep:buyer`)).toBeUndefined()
    },
  )

  it('by five secrets fits into a cookie and into a wallet name', () => {
    expect(buyerPayer(Array(5).fill('a'.repeat(22))).wallet.length).toBeLessThanOrEqual(128)
  })
})

describe('the proof of a payer cookie', () => {
  const proof = signPayer(payer, later, [key(1)])

  it('holds for this payer, by any of the keys', () => {
    expect(isSignedPayer(payer, proof, now, [key(2), key(1)])).toBe(true)
    expect(isSignedPayer({ ...payer, wallet: '0xABC' }, proof, now, [key(1)])).toBe(true)
  })
  it('ends with its time', () => {
    expect(isSignedPayer(payer, proof, later, [key(1)])).toBe(false)
  })
  it.each([
    ['another wallet', { ...payer, wallet: '0xdef' }, proof],
    ['another network', { ...payer, network: 'eip155:1' }, proof],
    ['a later end', payer, proof.replace(/^\d+/, '9999999999')],
    ['a foreign key', payer, signPayer(payer, later, [key(3)])],
    ['nothing', payer, undefined],
    ['rubbish', payer, 'x.y.z'],
  ])('does not hold for %s', (_, who, given) => {
    expect(isSignedPayer(who, given, now, [key(1)])).toBe(false)
  })
})

describe('a visitor who shows nothing', () => {
  it('is one without an account, agent, payer, sign-in, proof or session', () => {
    expect(hasNoCredentials(NO_CREDENTIALS)).toBe(true)
  })

  it.each<[string, Partial<Credentials>]>([
    ['an account', { caller: {} as Credentials['caller'] }],
    ['an agent', { agent: { did: 'did:web:agent.example', verified: false } }],
    ['a payer', { payer: { wallet: '0x1', network: 'eip155:1' } }],
    ['a wallet that signs in', { signIn: 'e30=' }],
    ['proofs', { proofs: [{ type: 'trust', self_attested: true }] }],
    ['a session', { authorization: 'EEP-Session e30' }],
  ])('is not one with %s', (_what, shown) => {
    expect(hasNoCredentials({ ...NO_CREDENTIALS, ...shown })).toBe(false)
  })
})
