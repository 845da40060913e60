import { encodeCursor } from '@eep/core/ports'
import { expect, it } from 'vitest'
import { readPlace } from './statements.ts'

const place = (...parts: (number | string)[]) => encodeCursor(parts)

it('reads the place of a cursor', () => {
  expect(readPlace(place(1, 2, 1_000, 5, 'page:1'))).toEqual({
    generation: 1,
    newestId: 2,
    at: new Date(1_000),
    after: { rank: 5, key: 'page:1' },
  })
})

it.each([
  ['a generation beyond the integers of PostgreSQL', place(Number.MAX_SAFE_INTEGER, 1, 1_000, 5, 'page:1')],
  ['a generation before the first one', place(-Number.MAX_SAFE_INTEGER, 1, 1_000, 5, 'page:1')],
  ['a key that cannot be stored', place(1, 1, 1_000, 5, '\0')],
  ['too few parts', place(1, 1)],
])('refuses %s', (_, cursor) => {
  expect(() => readPlace(cursor)).toThrow('cursor')
})
