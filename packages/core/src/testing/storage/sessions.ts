import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SessionUse, StoredSession } from '../../ports/storage/sessions.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newSession } from '../records.ts'
import { casesFor, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)

export const sessionCases = casesFor([], (it, bench) => {
  const begun = async (accountId: string, changes?: Partial<StoredSession>) => {
    const session = newSession(accountId, changes)
    await bench.write((tx) => tx.sessions.insert(session))
    return session
  }
  const idsOf = async (accountId: string, now = at(0)) =>
    (await bench.read.sessions.listOfAccount(accountId, now, { limit: 100 })).items.map(({ id }) => id)

  it('finds a session with its account', async () => {
    const account = await bench.account()
    for (const changes of [{}, { userAgent: null, emailOwned: true, expiresAt: at(-1) }]) {
      const session = await begun(account.id, changes)
      assert.deepEqual(await bench.read.sessions.getWithAccount(session.id), { session, account })
    }
    const saved = present(await bench.write((tx) => tx.accounts.save(account.id, { tokenVersion: 7 })))
    const session = await begun(account.id)
    assert.deepEqual(await bench.read.sessions.getWithAccount(session.id), { session, account: saved })
  })

  it('returns undefined for unknown sessions', async () => {
    for (const id of [randomUUID(), 'no uuid', '']) {
      assert.equal(await bench.read.sessions.getWithAccount(id), undefined)
      assert.equal(await bench.write((tx) => tx.sessions.delete(id, { id })), 0)
      assert.equal(await bench.write((tx) => tx.sessions.touch(id, at(1), { unlessAfter: at(1) })), false)
    }
    assert.deepEqual(await idsOf('no uuid'), [])
    assert.equal(await bench.write((tx) => tx.sessions.delete('no uuid')), 0)
  })

  it('lists the sessions of an account that have not expired, newest first', async () => {
    const { id } = await bench.account()
    const made: StoredSession[] = []
    for (const ms of [1, 3, 2, 3]) made.push(await begun(id, { createdAt: at(ms), expiresAt: at(1_000) }))
    await begun(id, { expiresAt: at(10) })
    await begun((await bench.account()).id)
    const list = (page: { limit: number; cursor?: string | undefined }) =>
      bench.read.sessions.listOfAccount(id, at(10), page)
    const all = await readAll(list, 2)
    assert.deepEqual(
      all.map(({ createdAt }) => createdAt),
      [at(3), at(3), at(2), at(1)],
    )
    assert.deepEqual(new Set(all.map((one) => one.id)), new Set(made.map((one) => one.id)))
    assert.equal((await list({ limit: 1 })).total, 4)
    await checkCursors(list)
  })

  it('updates the last use at most once per interval', async () => {
    const { id } = await begun((await bench.account()).id, { lastUsedAt: at(100) })
    const lastUsed = async () => (await bench.read.sessions.getWithAccount(id))?.session.lastUsedAt
    assert.equal(await bench.write((tx) => tx.sessions.touch(id, at(200), { unlessAfter: at(99) })), false)
    assert.deepEqual(await lastUsed(), at(100))
    assert.equal(await bench.write((tx) => tx.sessions.touch(id, at(300), { unlessAfter: at(100) })), true)
    assert.deepEqual(await lastUsed(), at(300))
  })

  it('moves the time of a proof forward only, and of that session alone', async () => {
    const account = await bench.account()
    const [session, beside] = [
      await begun(account.id, { provedAt: at(100) }),
      await begun(account.id, { provedAt: at(100) }),
    ]
    const prove = (id: string, ms: number) => bench.write((tx) => tx.sessions.touch(id, at(ms), { proof: true }))
    const provedAt = async (id: string) => (await bench.read.sessions.getWithAccount(id))?.session.provedAt
    assert.deepEqual([await prove(session.id, 300), await prove(session.id, 200)], [true, true])
    assert.deepEqual([await provedAt(session.id), await provedAt(beside.id)], [at(300), at(100)])
    for (const id of [randomUUID(), 'no uuid']) assert.equal(await prove(id, 400), false)
  })

  it('proves no session that another transaction is deleting', async () => {
    const { id: accountId } = await bench.account()
    const { id } = await begun(accountId)
    const { others } = await bench.overlap(
      (tx) => tx.sessions.delete(accountId, { id }),
      [(tx) => tx.sessions.touch(id, at(400), { proof: true })],
    )
    assert.deepEqual(others, [false])
  })

  it('deletes a session for exactly one of many callers, and only for its own account', async () => {
    const { id: accountId } = await bench.account()
    const { id } = await begun(accountId)
    const beside = await begun(accountId)
    const other = (await bench.account()).id
    assert.equal(await bench.write((tx) => tx.sessions.delete(other, { id })), 0)
    const ended = await Promise.all(
      Array.from({ length: 8 }, () => bench.write((tx) => tx.sessions.delete(accountId, { id }))),
    )
    assert.deepEqual(ended.toSorted(), [0, 0, 0, 0, 0, 0, 0, 1])
    assert.equal(await bench.read.sessions.getWithAccount(id), undefined)
    assert.deepEqual(await idsOf(accountId), [beside.id])
  })

  it('ends one token of a session for exactly one of many callers, and the session with its last token', async () => {
    const { id: accountId } = await bench.account()
    const { id } = await begun(accountId)
    const end = (use: SessionUse, owner = accountId) => bench.write((tx) => tx.sessions.delete(owner, { id, use }))
    assert.equal(await end('cookie', (await bench.account()).id), 0)
    const ended = await Promise.all(Array.from({ length: 4 }, () => end('cookie')))
    assert.deepEqual(ended.toSorted(), [0, 0, 0, 1])
    assert.deepEqual((await bench.read.sessions.getWithAccount(id))?.session.uses, ['bearer'])
    assert.equal(await end('bearer'), 1)
    assert.equal(await bench.read.sessions.getWithAccount(id), undefined)
  })

  it('ends a token of a held session only after the transaction that holds it', async () => {
    const { id: accountId } = await bench.account()
    const { id } = await begun(accountId)
    const ended: string[] = []
    await bench.overlap(
      async (tx, meanwhile) => {
        await tx.sessions.getWithAccount(id, { hold: true })
        await meanwhile()
        ended.push('write')
      },
      [
        async (tx) => {
          await tx.sessions.delete(accountId, { id, use: 'cookie' })
          ended.push('token')
        },
      ],
    )
    assert.deepEqual(ended, ['write', 'token'])
  })

  it('deletes all sessions of an account, or all but one', async () => {
    const [{ id: mine }, { id: other }] = [await bench.account(), await bench.account()]
    const [kept] = [await begun(mine), await begun(mine), await begun(mine)]
    const bystander = await begun(other)
    assert.equal(await bench.write((tx) => tx.sessions.delete(mine, { except: kept.id })), 2)
    assert.deepEqual(await idsOf(mine), [kept.id])
    assert.equal(await bench.write((tx) => tx.sessions.delete(mine)), 1)
    assert.deepEqual(await idsOf(mine), [])
    assert.deepEqual(await idsOf(other), [bystander.id])
  })

  it('deletes a held session only after the transaction that holds it', async () => {
    const { id: accountId } = await bench.account()
    const { id } = await begun(accountId)
    const ended: string[] = []
    await bench.overlap(
      async (tx, meanwhile) => {
        assert.equal((await tx.sessions.getWithAccount(id, { hold: true }))?.account.id, accountId)
        await meanwhile()
        ended.push('write')
      },
      [
        async (tx) => {
          await tx.sessions.delete(accountId, { id })
          ended.push('deletion')
        },
      ],
    )
    assert.deepEqual(ended, ['write', 'deletion'])
  })

  it('holds no session that another transaction is deleting', async () => {
    const { id: accountId } = await bench.account()
    const hold = (id: string) => (tx: Stores) => tx.sessions.getWithAccount(id, { hold: true })
    const [deleted, kept] = [await begun(accountId), await begun(accountId)]
    const { others } = await bench.overlap(
      (tx) => tx.sessions.delete(accountId, { id: deleted.id }),
      [hold(deleted.id), hold(kept.id)],
    )
    assert.deepEqual(
      others.map((found) => found?.session.id),
      [undefined, kept.id],
    )
    for (const id of [deleted.id, randomUUID(), 'no uuid']) assert.equal(await bench.write(hold(id)), undefined)
  })

  it('leaves no session that began while the account was locked to delete them', async () => {
    const { id } = await bench.account()
    await begun(id)
    await bench.overlap(
      async (tx) => {
        await tx.accounts.lock(id)
        await tx.sessions.insert(newSession(id))
      },
      [
        async (tx) => {
          await tx.accounts.lock(id)
          return tx.sessions.delete(id)
        },
      ],
    )
    assert.deepEqual(await idsOf(id), [])
  })
})
