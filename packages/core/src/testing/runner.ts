import { AssertionError } from 'node:assert/strict'
import { isEepError } from '../kernel/errors.ts'

type Work = () => void | Promise<void>

/**
 * The functions of a test runner that a contract uses. `import * as vitest from 'vitest'` is one; of node:test
 * `{ ...test, beforeAll: test.before, afterAll: test.after }` is one, or `test` itself.
 */
export interface TestRunner {
  describe(name: string, cases: () => void): unknown
  it(name: string, work: Work): unknown
  readonly beforeAll?: ((work: Work) => unknown) | undefined
  readonly before?: ((work: Work) => unknown) | undefined
  readonly afterAll?: ((work: Work) => unknown) | undefined
  readonly after?: ((work: Work) => unknown) | undefined
}

/**
 * A runner with its hooks under uniform names. Every failed assertion of its cases names in a sentence what the port demands: the
 * title of the case. Throws when the runner has no hooks.
 */
export function contractRunner({ describe, it, ...hooks }: TestRunner) {
  const beforeAll = hooks.beforeAll ?? hooks.before
  const afterAll = hooks.afterAll ?? hooks.after
  if (!beforeAll || !afterAll) throw new TypeError('The test runner has no hooks beforeAll/before and afterAll/after')
  return { describe, it: (title: string, work: Work) => it(title, () => explained(title, work)), beforeAll, afterAll }
}

/** Runs a case. An assertion that fails states which demand of the contract is not met, before what was compared. */
async function explained(title: string, work: Work): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof AssertionError) {
      const { message, stack } = error
      error.message = `The contract demands that the implementation ${title}. ${message}`
      // Some runners print the stack alone, which begins with the message.
      if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
    }
    throw error
  }
}

/** The code of the error that work throws, `done` when it succeeds, or the thrown value when it is not an `EepError`. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => (isEepError(error) ? error.code : String(error)),
  )
