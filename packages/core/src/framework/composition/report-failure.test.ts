import { expect, it, vi } from 'vitest'
import { storageUnavailable } from '../../ports/storage/storage.ts'
import { createFailureReport } from './report-failure.ts'

it('logs an outage of the database once a minute, and every other failure', () => {
  const error = vi.fn()
  let now = 0
  const report = createFailureReport({ error }, () => new Date(now))
  report(storageUnavailable())
  report(storageUnavailable())
  expect(error).toHaveBeenCalledTimes(1)
  report(new Error('a mistake'))
  report(new Error('a mistake'))
  expect(error).toHaveBeenCalledTimes(3)
  now = 60_000
  report(storageUnavailable())
  expect(error).toHaveBeenCalledTimes(4)
})
