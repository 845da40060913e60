import { describe, expect, it } from 'vitest'
import { defineError } from '../../kernel/errors.ts'
import { storageUnavailable } from '../../ports/storage/storage.ts'
import { type EndedRun, failureOf } from './outcome.ts'

const refused = defineError('test_refused', 400, 'Not this one')

const run = (changes: Partial<EndedRun> = {}): EndedRun => ({
  error: new Error('ECONNRESET 10.0.0.7'),
  ended: false,
  timedOut: false,
  stopping: false,
  attempt: 1,
  runs: 3,
  ...changes,
})

describe('a run that threw', () => {
  it('fails without a retry for an error that is meant for the owner', () => {
    const error = refused({ message: 'Page 3 is empty' })
    expect(failureOf(run({ error }))).toEqual({
      next: 'fail',
      error: { code: 'test_refused', message: 'Page 3 is empty' },
    })
  })

  it('is tried again while attempts are left, and then fails without the text of an exception', () => {
    expect(failureOf(run({ attempt: 2 }))).toEqual({ next: 'again', counts: true })
    expect(failureOf(run({ attempt: 3 }))).toMatchObject({ next: 'fail', error: { code: 'job_failed' } })
    expect(JSON.stringify(failureOf(run({ attempt: 3 })))).not.toContain('ECONNRESET')
  })

  it('costs no attempt when the storage was unavailable', () => {
    expect(failureOf(run({ error: storageUnavailable(), attempt: 3 }))).toEqual({ next: 'again', counts: false })
  })

  it('costs no attempt when the service stopped it', () => {
    expect(failureOf(run({ stopping: true, attempt: 3 }))).toEqual({ next: 'again', counts: false })
    expect(failureOf(run({ stopping: true, error: refused() }))).toEqual({ next: 'again', counts: false })
  })

  it('is not tried again when it took too long', () => {
    expect(failureOf(run({ timedOut: true }))).toMatchObject({ next: 'fail', error: { code: 'job_timed_out' } })
  })

  it('changes nothing after the job was ended elsewhere', () => {
    expect(failureOf(run({ ended: true, timedOut: true, stopping: true }))).toEqual({ next: 'nothing' })
  })
})
