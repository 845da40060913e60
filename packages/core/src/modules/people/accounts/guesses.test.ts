import { expect, it } from 'vitest'
import { memoryRateLimits } from '../../../runtime/rate-limits/memory-rate-limits.ts'
import { createGuesses } from './guesses.ts'

const ADA = 'ada@example.com'

/** Guesses of which each address of a list has made some. */
async function after(...from: (string | undefined)[]) {
  const guesses = createGuesses({ store: memoryRateLimits(), failures: 5 })
  for (const each of from) await guesses.noteFailure(ADA, each)
  return guesses
}

const refused = expect.objectContaining({ code: 'too_many_wrong_passwords', status: 429 })

it('lets everybody try until there were too many', async () => {
  const guesses = await after('a', 'a', 'a', 'a')
  expect(() => guesses.admit(ADA, 'a')).not.toThrow()
})

it('rejects a client after three wrong passwords for one email address, however it is written', async () => {
  const guesses = await after('b', 'b', 'a', 'a', 'a')
  expect(() => guesses.admit(ADA, 'a')).toThrow(refused)
  expect(() => guesses.admit('ADA@example.com', 'a')).toThrow(refused)
  expect(() => guesses.admit('eve@example.com', 'a')).not.toThrow()
  for (const from of ['b', 'another client', undefined]) expect(() => guesses.admit(ADA, from)).not.toThrow()
})

it('gives each further address three tries', async () => {
  const guesses = await after('a', 'a', 'a', 'a', 'a', 'c', 'c')
  expect(() => guesses.admit(ADA, 'c')).not.toThrow()
  await guesses.noteFailure(ADA, 'c')
  expect(() => guesses.admit(ADA, 'c')).toThrow(refused)
})

it('lets them try again when the window has ended', async () => {
  const store = { hit: () => ({ count: 100, resetAtMs: Date.now() - 1 }) }
  const guesses = createGuesses({ store, failures: 5 })
  await guesses.noteFailure(ADA, 'a')
  expect(() => guesses.admit(ADA, 'a')).not.toThrow()
})
