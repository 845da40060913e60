import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCursors } from '../../../ports/storage/events.ts'
import { decodeEventId, encodeEventId } from './event-id.ts'

const part = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const cursor = fc.tuple(part, part, part).map((parts) => parts.join('-'))

describe('the id of an event', () => {
  it('is read back as the place of its event', () => {
    fc.assert(fc.property(cursor, (each) => decodeEventId(encodeEventId(each)) === each))
  })

  it('sorts as the log does', () => {
    fc.assert(
      fc.property(cursor, cursor, (left, right) => {
        const [one, other] = [encodeEventId(left), encodeEventId(right)]
        return Math.sign(compareCursors(left, right)) === (one < other ? -1 : one > other ? 1 : 0)
      }),
    )
  })

  it('is refused when this service cannot have written it', () => {
    const refused = [
      '',
      '0',
      'z',
      '1',
      '2a',
      '1-',
      '201',
      '11111111',
      'dzzzzzzzzzzzzz',
      '1A',
      ' 11',
      '../../etc/passwd',
    ]
    expect(refused.map(decodeEventId)).toEqual(refused.map(() => undefined))
    fc.assert(
      fc.property(fc.string(), (text) => {
        const decoded = decodeEventId(text)
        return decoded === undefined || encodeEventId(decoded) === text
      }),
    )
  })
})
