import { describe, expect, it } from 'vitest'
import { encodeEnvelope, OFFER_RECEIPT, paymentRequiredOf } from './x402.ts'

/** The limit of the header, and what clients may send back. */
const MAX_HEADER = 6_000
const MAX_PAYMENT = 8_192

const resource = { url: 'https://id.example/u/ada/content/notes', description: 'Notes', mimeType: 'text/markdown' }
const entry = (rail: string, padding = 0) => ({
  rail,
  accept: { scheme: 'exact', network: 'eip155:8453', asset: rail, amount: '1', payTo: 'x'.repeat(padding) },
})
const bazaar = (example: number, rest = 10) => ({
  info: { input: { type: 'http', method: 'GET' }, output: { type: 'json', example: 'e'.repeat(example) } },
  schema: { $comment: 's'.repeat(rest) },
})
const made = (entries: readonly object[], extension?: ReturnType<typeof bazaar>) =>
  paymentRequiredOf(
    entries as Parameters<typeof paymentRequiredOf>[0],
    { error: '', resource, extensions: {} },
    extension,
  )
const signed = (padding: number) => ({ ...entry('signed'), signed: 's'.repeat(padding) })

describe('the header of a 402', () => {
  it('leaves out the example of the resource first, then its description', () => {
    expect(made([entry('a')], bazaar(100)).extensions).toEqual({ bazaar: bazaar(100) })
    const { output: _, ...info } = bazaar(0).info
    expect(made([entry('a')], bazaar(5_000)).extensions).toEqual({ bazaar: { ...bazaar(0), info } })
    expect(made([entry('a')], bazaar(10, 5_000)).extensions).toEqual({})
  })

  it('leaves out signed offers before offers, and keeps them instead of an example', () => {
    expect(Object.keys(made([signed(3_000)], bazaar(2_000)).extensions)).toEqual(['bazaar', OFFER_RECEIPT])
    const both = made([signed(5_000), entry('b')])
    expect([both.accepts.length, Object.keys(both.extensions)]).toEqual([2, []])
  })

  it('leaves out offers of rails that keep another one, and never the last offer', () => {
    const many = made([entry('a', 1_500), entry('a', 1_500), entry('b', 1_500), entry('a', 1_500)], bazaar(10))
    expect(many.accepts.map(({ asset }) => asset)).toEqual(['a', 'b'])
    expect(made([entry('a', 9_000)]).accepts).toHaveLength(1)
    expect(made([], bazaar(10))).toMatchObject({ accepts: [], extensions: {} })
  })

  it('is small enough for the payment that echoes the largest one', () => {
    // As large as the header may be: what a client signs for one offer is added to it, and the other offers are not.
    const sizes = [3_600, 3_700, 3_800, 3_900, 4_000].map((size) => made([entry('a', 700)], bazaar(10, size - 700)))
    const largest = sizes.findLast(({ extensions }) => 'bazaar' in extensions)
    if (!largest) throw new Error('none fits')
    expect(encodeEnvelope(largest).length).toBeGreaterThan(MAX_HEADER - 300)
    const hex = (length: number) => `0x${'f'.repeat(length)}`
    const authorization = {
      from: hex(40),
      to: hex(40),
      value: '9'.repeat(30),
      validAfter: '0',
      validBefore: '9'.repeat(12),
      nonce: hex(64),
    }
    const { extensions, accepts } = largest
    const payload = { authorization, signature: hex(130) }
    const payment = { x402Version: 2, resource, extensions, accepted: accepts[0], payload }
    expect(encodeEnvelope(payment).length).toBeLessThanOrEqual(MAX_PAYMENT)
  })
})
