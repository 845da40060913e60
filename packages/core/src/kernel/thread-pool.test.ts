import { expect, it } from 'vitest'
import { hashesAtOnce } from './thread-pool.ts'

it.each([
  [3, undefined, 2],
  [1, undefined, 1],
  [50, '16', 14],
  [50, '2', 1],
  [50, '1', 1],
  [50, 'many', 1],
])(
  'leaves two threads of the pool to other work: %i hashes wanted, UV_THREADPOOL_SIZE %s, %i run',
  (wanted, size, run) => {
    expect(hashesAtOnce(wanted, size)).toBe(run)
  },
)
