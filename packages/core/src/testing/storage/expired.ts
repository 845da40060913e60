import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newAttempt, newSession, newToken } from '../records.ts'
import { casesFor, HOUR, MINUTE } from './bench.ts'

const LIMITS = { leaseMs: MINUTE, maxKeys: 1_000 }
const LONG_AGO = new Date(Date.UTC(1990, 0, 1))

export const expiredCases = casesFor([], (it, bench) => {
  const remove = (limit: number) => bench.write((tx) => tx.expired.delete(limit))

  async function kinds(expiresAt: Date) {
    const { id } = await bench.account()
    const session = () => newSession(id, { expiresAt })
    const attempt = () => newAttempt(id, { expiresAt })
    const nonce = () => ({ scope: freshName(), nonce: freshName(), expiresAt })
    const token = () => newToken(id, { expiresAt })
    return { session, attempt, nonce, token }
  }

  it('deletes expired rows of each kind, up to the given limit', async () => {
    const make = await kinds(LONG_AGO)
    const adding: readonly ((tx: Stores) => Promise<unknown>)[] = [
      (tx) => tx.sessions.insert(make.session()),
      (tx) => tx.idempotency.begin(make.attempt(), LIMITS),
      (tx) => tx.nonces.claim(make.nonce()),
      (tx) => tx.tokens.put(make.token()),
    ]
    while ((await remove(1_000)) > 0);
    for (const add of adding) {
      for (let made = 0; made < 3; made += 1) await bench.write(add)
      assert.equal(await remove(2), 2)
      assert.equal(await remove(2), 1)
      assert.equal(await remove(2), 0)
    }
    for (const add of [...adding, ...adding]) await bench.write(add)
    assert.equal(await remove(1), adding.length)
    assert.equal(await remove(1_000), adding.length)
  })

  it('keeps rows that have not expired', async () => {
    const make = await kinds(new Date(Date.now() + HOUR))
    const [session, attempt, nonce, token] = [make.session(), make.attempt(), make.nonce(), make.token()]
    await bench.write(async (tx) => {
      await tx.sessions.insert(session)
      await tx.idempotency.begin(attempt, LIMITS)
      await tx.nonces.claim(nonce)
      await tx.tokens.put(token)
    })
    await remove(1_000)
    assert.deepEqual((await bench.read.sessions.getWithAccount(session.id))?.session, session)
    await bench.write(async (tx) => {
      assert.deepEqual(await tx.idempotency.begin(make.attempt(), LIMITS), { outcome: 'started' })
      assert.deepEqual(await tx.idempotency.begin(attempt, LIMITS), { outcome: 'in_flight' })
      assert.equal(await tx.nonces.claim(nonce), false)
      assert.deepEqual(await tx.tokens.consume({ purpose: token.purpose, hash: token.hash }), token)
    })
  })
})
