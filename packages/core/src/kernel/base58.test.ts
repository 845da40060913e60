import { base58btc } from 'multiformats/bases/base58'
import { expect, it } from 'vitest'
import { decodeBase58 } from './base58.ts'

it.each([
  ['2NEpo7TZRRrLZSi2U', 'Hello World!'],
  ['USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z', 'The quick brown fox jumps over the lazy dog.'],
])('decodes %s, a test vector of the base58 draft', (text, decoded) => {
  expect(Buffer.from(decodeBase58(text)).toString()).toBe(decoded)
})

it('keeps leading zeros in base58', () => {
  expect([...decodeBase58('11233QC4')]).toEqual([0, 0, 0x28, 0x7f, 0xb4, 0xcd])
})

it('decodes base58 that another library encoded', () => {
  for (let length = 0; length < 64; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length * 7) % 256)
    expect([...decodeBase58(base58btc.encode(bytes).slice(1))]).toEqual([...bytes])
  }
})

it('rejects characters outside the base58 alphabet', () => {
  expect(() => decodeBase58('0OIl')).toThrow(RangeError)
})
