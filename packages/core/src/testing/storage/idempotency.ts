import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewAttempt } from '../../ports/storage/idempotency.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName, newAttempt } from '../records.ts'
import { casesFor, leaseRunsOut, MINUTE, ODD_TEXT, SHORT_LEASE } from './bench.ts'

const begin =
  (attempt: NewAttempt, leaseMs = MINUTE, maxKeys = 1_000) =>
  (tx: Stores) =>
    tx.idempotency.begin(attempt, { leaseMs, maxKeys })
const FACTS = `facts ${ODD_TEXT}`
const finish =
  (attempt: NewAttempt, answer: string | null, maxBytes = 1_000_000) =>
  (tx: Stores) =>
    tx.idempotency.end(attempt, { answer, facts: FACTS, maxBytes })
const abandon = (attempt: NewAttempt) => (tx: Stores) => tx.idempotency.end(attempt, 'abandoned')

/** The same request again. */
const again = (attempt: NewAttempt): NewAttempt => ({ ...attempt, holder: randomUUID() })
const other = (attempt: NewAttempt): NewAttempt => ({ ...again(attempt), fingerprint: freshName() })

/** Before any other record that the storage may hold. */
const LONG_AGO = new Date(Date.UTC(1990, 0, 1))

const answered = (answer: string | null) => ({ outcome: 'answered', answer, facts: FACTS })
const [STARTED, IN_FLIGHT] = [{ outcome: 'started' }, { outcome: 'in_flight' }]
const mismatch = (facts: string | null) => ({ outcome: 'mismatch', facts })

export const idempotencyCases = casesFor([], (it, bench) => {
  it('starts a request once, and returns its answer to later ones', async () => {
    const attempt = newAttempt((await bench.account()).id)
    assert.deepEqual(await bench.write(begin(attempt)), STARTED)
    assert.deepEqual(await bench.write(begin(again(attempt))), IN_FLIGHT)
    assert.equal(await bench.write(finish(attempt, ODD_TEXT)), true)
    assert.deepEqual(await bench.write(begin(again(attempt))), answered(ODD_TEXT))
    assert.equal(await bench.write(finish(attempt, 'another answer')), false)
    assert.equal(await bench.write(abandon(attempt)), false)
    assert.deepEqual(await bench.write(begin(again(attempt))), answered(ODD_TEXT))
  })

  it('records that a request was completed when its answer is not stored', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt))
    assert.equal(await bench.write(finish(attempt, null)), true)
    assert.deepEqual(await bench.write(begin(again(attempt))), answered(null))
  })

  it('distinguishes another request with the same key, and the same key of another account', async () => {
    const attempt = newAttempt((await bench.account()).id)
    await bench.write(begin(attempt))
    assert.deepEqual(await bench.write(begin(other(attempt))), mismatch(null))
    await bench.write(finish(attempt, 'answer'))
    assert.deepEqual(await bench.write(begin(other(attempt))), mismatch(FACTS))
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
    assert.deepEqual(await bench.write(begin(other(attempt))), mismatch(null))
    const next = again(attempt)
    assert.deepEqual(await bench.write(begin(next)), STARTED)
    assert.deepEqual(await bench.write(begin(again(attempt))), IN_FLIGHT)
    assert.equal(await bench.write(finish(attempt, 'of the first')), false)
    assert.equal(await bench.write(abandon(attempt)), false)
    assert.equal(await bench.write(finish(next, 'of the second')), true)
    await bench.write(begin(again(attempt), SHORT_LEASE))
    assert.deepEqual(await bench.write(begin(again(attempt))), answered('of the second'))
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
    assert.deepEqual(others, [answered('just in time')])
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

  it('removes the oldest answers of an account above its bytes, and keeps their keys and facts', async () => {
    const { id } = await bench.account()
    const expiresIn = (minutes: number) => new Date(Date.now() + minutes * MINUTE)
    const attempts = [1, 2, 3, 4].map((minutes) => newAttempt(id, { expiresAt: expiresIn(minutes) }))
    const stranger = newAttempt((await bench.account()).id, { expiresAt: expiresIn(1) })
    const text = 'é'.repeat(20)
    for (const attempt of [stranger, ...attempts]) {
      await bench.write(begin(attempt))
      assert.equal(await bench.write(finish(attempt, text, 100)), true)
    }
    const answers = [null, null, text, text].map(answered)
    for (const [which, attempt] of attempts.entries()) {
      assert.deepEqual(await bench.write(begin(again(attempt))), answers[which])
      assert.deepEqual(await bench.write(begin(other(attempt))), mismatch(FACTS))
      assert.equal(await bench.write(finish(attempt, text)), false)
    }
    assert.deepEqual(await bench.write(begin(again(stranger))), answered(text))
  })

  it('keeps the answers of an account within its bytes while several are stored', async () => {
    const { id } = await bench.account()
    const attempts = [newAttempt(id), newAttempt(id), newAttempt(id)]
    for (const attempt of attempts) await bench.write(begin(attempt))
    const [leader, ...others] = attempts.map((attempt) => finish(attempt, 'x'.repeat(60), 100))
    assert.ok(leader)
    await bench.overlap(leader, others)
    const outcomes = await Promise.all(attempts.map((attempt) => bench.write(begin(again(attempt)))))
    const stored = outcomes.map((each) => each.outcome === 'answered' && each.answer !== null)
    assert.deepEqual(stored.toSorted(), [false, false, true])
  })

  it('starts no new key of an account that has as many as it may have, until one expires', async () => {
    const { id } = await bench.account()
    const freeAt = new Date(Date.now() + MINUTE)
    const [first, second] = [newAttempt(id, { expiresAt: freeAt }), newAttempt(id)]
    await bench.write(begin(newAttempt(id, { expiresAt: LONG_AGO }), MINUTE, 2))
    for (const attempt of [first, second]) assert.deepEqual(await bench.write(begin(attempt, MINUTE, 2)), STARTED)
    const next = newAttempt(id)
    const refused = { outcome: 'too_many_keys', freeAt }
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await bench.write(begin(again(next), MINUTE, 2)), refused)
    assert.deepEqual(await bench.write(begin(again(first), MINUTE, 2)), IN_FLIGHT)
    await bench.write(finish(first, 'answer'))
    assert.deepEqual(await bench.write(begin(again(first), MINUTE, 2)), answered('answer'))
    await bench.write(abandon(second))
    assert.deepEqual(await bench.write(begin(next, MINUTE, 2)), STARTED)
  })

  it('starts exactly one of many concurrent requests with the last key of an account', async () => {
    const { id } = await bench.account()
    const { first, others } = await bench.overlap(
      begin(newAttempt(id), MINUTE, 1),
      [newAttempt(id), newAttempt(id)].map((attempt) => begin(attempt, MINUTE, 1)),
    )
    const outcomes = [first, ...others].map((each) => each?.outcome)
    assert.deepEqual(outcomes, ['started', 'too_many_keys', 'too_many_keys'])
  })
})
