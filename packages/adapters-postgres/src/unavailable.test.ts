import { isEepError } from '@eep/core/ports'
import { describe, expect, it } from 'vitest'
import { orUnavailable } from './unavailable.ts'

const withCode = (code: string, message = 'no') => Object.assign(new Error(message), { code })
const outcomeOf = async (error: unknown) => {
  const thrown = await orUnavailable(() => Promise.reject(error)).catch((reason: unknown) => reason)
  return isEepError(thrown) ? thrown.code : thrown
}

describe('a database error', () => {
  it.each([
    withCode('ECONNREFUSED'),
    new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]),
    withCode('57P01', 'terminating connection due to administrator command'),
    withCode('57P03', 'the database system is starting up'),
    withCode('08006'),
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('is storage_unavailable when the database cannot be reached: %s', async (error) => {
    expect(await outcomeOf(error)).toBe('storage_unavailable')
  })

  it.each([
    withCode('23505', 'duplicate key value'),
    withCode('40001', 'could not serialize access'),
    withCode('42P01', 'relation does not exist'),
    withCode('57014', 'canceling statement due to statement timeout'),
    withCode('23502', 'Connection terminated is not a name'),
    new TypeError('x is not a function'),
    'Connection terminated',
  ])('is rethrown unchanged when it has another cause: %s', async (error) => {
    expect(await outcomeOf(error)).toBe(error)
  })
})
