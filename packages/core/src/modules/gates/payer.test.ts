import { describe, expect, it } from 'vitest'
import type { SharedKey } from '../../kernel/keyring.ts'
import { isSignedPayer, parsePayer, readPayer, signPayer, writePayer } from './payer.ts'

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
