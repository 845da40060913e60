import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

/** A reporter that adds the tests that passed only when they were run again to the file that `RETRIED_TESTS` names. */
export default class implements Reporter {
  onTestCaseResult(test: TestCase) {
    const file = process.env.RETRIED_TESTS
    if (file === undefined || !test.diagnostic()?.flaky) return
    const errors = test.result().errors?.map(({ message }) => message.split('\n', 1)[0]) ?? []
    const place = relative(process.cwd(), test.module.moduleId)
    appendFileSync(file, `  ${place}: ${test.fullName}\n${errors.map((message) => `    ${message}\n`).join('')}`)
  }
}
