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

/** The hooks of a runner under uniform names. Throws when it has none. */
export function hooksOf(runner: TestRunner) {
  const beforeAll = runner.beforeAll ?? runner.before
  const afterAll = runner.afterAll ?? runner.after
  if (!beforeAll || !afterAll) throw new TypeError('The test runner has no hooks beforeAll/before and afterAll/after')
  return { beforeAll, afterAll }
}

/** The code of the error that work throws, `done` when it succeeds, or the thrown value when it is not an `EepError`. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => (isEepError(error) ? error.code : String(error)),
  )
