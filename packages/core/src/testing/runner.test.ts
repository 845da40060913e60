import assert from 'node:assert/strict'
import { expect, it } from 'vitest'
import { contractRunner } from './runner.ts'

/** Returns the error of a case of a contract. */
async function failureOf(title: string, work: () => void): Promise<Error> {
  let declared: (() => void | Promise<void>) | undefined
  const runner = {
    describe() {},
    it(_name: string, declare: () => void | Promise<void>) {
      declared = declare
    },
    before() {},
    after() {},
  }
  contractRunner(runner).it(title, work)
  const error = await Promise.resolve(declared?.()).then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  if (!error) throw new Error('the case did not fail')
  return error
}

const DEMAND = 'The contract demands that the implementation stores a record once. '

it.each([
  ['an assertion without a message', () => assert.ok(0), 'falsy value'],
  ['a comparison', () => assert.deepEqual([1], [2]), '+ actual - expected'],
  ['a message that is a word', () => assert.ok(false, 'duplicate'), 'duplicate'],
])('states in a sentence what a port demands when %s fails', async (_what, work, detail) => {
  const { message, stack } = await failureOf('stores a record once', work)
  expect(message.startsWith(DEMAND)).toBe(true)
  expect(message).toContain(detail)
  expect(stack).toContain(DEMAND)
})

it('leaves other errors as they are', async () => {
  const broken = new TypeError('put is not a function')
  expect(
    await failureOf('stores a record once', () => {
      throw broken
    }),
  ).toBe(broken)
  expect(broken.message).toBe('put is not a function')
})

it('refuses a runner without hooks', () => {
  expect(() => contractRunner({ describe() {}, it() {} })).toThrow('has no hooks')
})
