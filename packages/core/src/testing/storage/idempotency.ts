import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewAttempt } from '../../ports/storage/idempotency.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName, newAttempt } from '../records.ts'
import { casesFor, leaseRunsOut, MINUTE, ODD_TEXT, SHORT_LEASE } from './bench.ts'

const begin =
  (attempt: NewAttempt, leaseMs = MINUTE) =>
  (tx: Stores) =>
    tx.idempotency.begin(attempt, leaseMs)
const finish = (attempt: NewAttempt, answer: string | null) => (tx: Stores) => tx.idempotency.end(attempt, { answer })
const abandon = (attempt: NewAttempt) => (tx: Stores) => tx.idempotency.end(attempt, 'abandoned')

/** The same request again. */
const again = (attempt: NewAttempt): NewAttempt => ({ ...attempt, holder: randomUUID() })
const other = (attempt: NewAttempt): NewAttempt => ({ ...again(attempt), fingerprint: freshName() })

/** Before any other record that the storage may hold. */
const LONG_AGO = new Date(Date.UTC(1990, 0, 1))

const [STARTED, IN_FLIGHT, MISMATCH] = [{ outcome: 'started' }, { outcome: 'in_flight' }, { outcome: 'mismatch' }]

export const idempotencyCases = casesFor([], (it, bench) => {
  it('starts a request once, and returns its answer to later ones', async () => {
    const attempt = newAttempt((await bench.account()).id)
    assert.deepEqual(await bench.write(begin(attempt)), STARTED)
    assert.deepEqual(await bench.write(begin(again(attempt))), IN_FLIGHT)
    assert.equal(await bench.write(finish(attempt, ODD_TEXT)), true)
    assert.deepEqual(await bench.write(begin(again(attempt))), { outcome: 'answered', answer: ODD_TEXT })
    assert.equal(await bench.write(finish(attempt, 'another answer')), false)
    assert.equal(await bench.write(abandon(attempt)), false)
    assert.deepEqual(await bench.write(begin(again(attempt))), { outcome: 'answered', answer: ODD_TEXT })
  })

  it('records that a request was completed when its answer is not stored', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt))
    assert.equal(await bench.write(finish(attempt, null)), true)
    assert.deepEqual(await bench.write(begin(again(attempt))), { outcome: 'answered', answer: null })
  })

  it('distinguishes another request with the same key, and the same key of another account', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt))
    assert.deepEqual(await bench.write(begin(other(attempt))), MISMATCH)
    await bench.write(finish(attempt, 'answer'))
    assert.deepEqual(await bench.write(begin(other(attempt))), MISMATCH)
    const { id: accountId } = await bench.account()
    for (const change of [{ accountId }, { route: 'POST /profiles' }, { key: freshName() }]) {
      assert.deepEqual(await bench.write(begin({ ...again(attempt), ...change })), STARTED)
    }
  })

  it('starts any request again after it was abandoned', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt))
    assert.equal(await bench.write(abandon(again(attempt))), false)
    assert.equal(await bench.write(abandon(attempt)), true)
    assert.equal(await bench.write(finish(attempt, 'too late')), false)
    assert.deepEqual(await bench.write(begin(other(attempt))), STARTED)
  })

  it('hands a request over when its holder did not finish in time', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt, SHORT_LEASE))
    await leaseRunsOut()
    assert.deepEqual(await bench.write(begin(other(attempt))), MISMATCH)
    const next = again(attempt)
    assert.deepEqual(await bench.write(begin(next)), STARTED)
    assert.deepEqual(await bench.write(begin(again(attempt))), IN_FLIGHT)
    assert.equal(await bench.write(finish(attempt, 'of the first')), false)
    assert.equal(await bench.write(abandon(attempt)), false)
    assert.equal(await bench.write(finish(next, 'of the second')), true)
    await bench.write(begin(again(attempt), SHORT_LEASE))
    assert.deepEqual(await bench.write(begin(again(attempt))), { outcome: 'answered', answer: 'of the second' })
  })

  it('starts exactly one of many concurrent requests, and the next when it is rolled back', async () => {
    const { id } = await bench.account()
    for (const end of ['commit', 'rollback'] as const) {
      const attempt = newAttempt(id)
      const many = [again(attempt), again(attempt), again(attempt)]
      const { first, others } = await bench.overlap(
        begin(attempt),
        many.map((each) => begin(each)),
        end,
      )
      const outcomes = (end === 'commit' ? [first, ...others] : others).map((each) => each?.outcome)
      assert.deepEqual(outcomes.toSorted(), [...outcomes.slice(1).map(() => 'in_flight'), 'started'])
    }
  })

  it('hands a request over to exactly one of many when its lease has expired', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt, SHORT_LEASE))
    await leaseRunsOut()
    const { first, others } = await bench.overlap(begin(again(attempt)), [begin(again(attempt)), begin(again(attempt))])
    assert.deepEqual([first, ...others], [STARTED, IN_FLIGHT, IN_FLIGHT])
  })

  it('returns the answer to a request that began while it was being stored', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt, SHORT_LEASE))
    await leaseRunsOut()
    const { others } = await bench.overlap(finish(attempt, 'just in time'), [begin(again(attempt))])
    assert.deepEqual(others, [{ outcome: 'answered', answer: 'just in time' }])
  })

  it('starts no request of a deleted account', async () => {
    assert.notDeepEqual(await bench.write(begin(newAttempt(randomUUID()))), STARTED)
    assert.notDeepEqual(await bench.write(begin(newAttempt('no uuid'))), STARTED)
    const { id } = await bench.account()
    const { others } = await bench.overlap((tx) => eraseAccount(tx, id), [begin(newAttempt(id))])
    assert.notDeepEqual(others, [STARTED])
  })

  it('accepts a key again after it has expired', async () => {
    const { id } = await bench.account()
    const expired = newAttempt(id, { expiresAt: LONG_AGO })
    assert.deepEqual(await bench.write(begin(expired)), STARTED)
    await bench.write(finish(expired, 'answer'))
    assert.deepEqual(await bench.write(begin(other(expired))), STARTED)
  })
})
