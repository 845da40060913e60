import { describe, expect, it } from 'vitest'
import { challengeTimestamp, encodeEnvelope, envelopeTemplate, readTimestamp } from './x402.ts'

const key = (fill: number) => ({ kid: `k${fill}`, key: new Uint8Array(32).fill(fill) })
const at = new Date('2026-05-01T12:00:00Z')
const url = 'https://id.example/u/ada/content/notes'

describe('the mark of a challenge', () => {
  const mark = challengeTimestamp(url, at, [key(1)])

  it('returns the time of issue to holders of one of the keys', () => {
    expect(readTimestamp(mark, url, [key(2), key(1)])).toEqual(at)
  })
  it.each([
    ['another resource', mark, `${url}x`, 1],
    ['a foreign key', mark, url, 2],
    ['nothing', {}, url, 1],
    ['another time', JSON.parse(JSON.stringify(mark).replace(/"issued_at":\d+/, '"issued_at":1')), url, 1],
    ['rubbish', { 'eep-timeline': { info: 'x' } }, url, 1],
    ['null', { 'eep-timeline': null }, url, 1],
  ])('returns nothing for %s', (_, given, where, fill) => {
    expect(readTimestamp(given, where, [key(fill)])).toBeNull()
  })
})

describe('an envelope with another text each time', () => {
  it.each([0, 1, 2, 3, 4, 5])('is what encoding the whole gives, %i bytes further on', (shift) => {
    const value = (nonce: string) => ({ before: 'é'.padEnd(shift + 1, 'x'), info: { nonce }, after: 'ü€' })
    const write = envelopeTemplate(value('0123456789'), '0123456789')
    for (const nonce of ['abcdefghij', '9876543210']) {
      expect(write(nonce)).toEqual({ json: JSON.stringify(value(nonce)), encoded: encodeEnvelope(value(nonce)) })
    }
  })
})
