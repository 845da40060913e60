import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { casesFor, leaseRunsOut, MINUTE, SHORT_LEASE } from './bench.ts'

const take =
  (accountId: string, holder: string, leaseMs = MINUTE) =>
  (tx: Stores<'subscriptions'>) =>
    tx.subscriptions.takeLease(accountId, holder, leaseMs)
const keep = (accountId: string, holder: string) => (tx: Stores<'subscriptions'>) =>
  tx.subscriptions.keepLease(accountId, holder)
const end = (accountId: string, holder: string) => (tx: Stores<'subscriptions'>) =>
  tx.subscriptions.endLease(accountId, holder)
const holders = () => [randomUUID(), randomUUID(), randomUUID()] as const

const LONG_AGO = new Date(Date.UTC(1990, 0, 1))
const NOW = new Date(Date.UTC(2026, 0, 1))

export const subscriptionLeaseCases = casesFor(['subscriptions'], (it, bench) => {
  it('gives the lease of an account to one holder at a time', async () => {
    const { id } = await bench.account()
    const [one, other] = holders()
    assert.equal(await bench.write(take(id, one)), true)
    assert.equal(await bench.write(take(id, other)), false)
    assert.equal(await bench.write(keep(id, one)), true)
    assert.equal(await bench.write(keep(id, other)), false)
    await bench.write(end(id, other))
    assert.equal(await bench.write(take(id, other)), false)
    await bench.write(end(id, one))
    assert.equal(await bench.write(keep(id, one)), false)
    assert.equal(await bench.write(take(id, other)), true)
    assert.equal(await bench.write(take((await bench.account()).id, one)), true)
  })

  it('gives the lease to exactly one of many concurrent callers, also after it has expired', async () => {
    for (const wasTaken of [false, true]) {
      const { id } = await bench.account()
      if (wasTaken) {
        await bench.write(take(id, randomUUID(), SHORT_LEASE))
        await leaseRunsOut()
      }
      const [one, ...many] = holders()
      const asked = await bench.overlap(
        take(id, one),
        many.map((holder) => take(id, holder)),
      )
      assert.deepEqual([asked.first, ...asked.others], [true, false, false])
    }
  })

  it('gives the lease to the next caller when the first fails', async () => {
    const { id } = await bench.account()
    const [one, other] = holders()
    const { others } = await bench.overlap(take(id, one), [take(id, other)], 'rollback')
    assert.deepEqual(others, [true])
  })

  it('lets the holder of a lease write until another holder takes it', async () => {
    const { id } = await bench.account()
    const [slow, next] = holders()
    await bench.write(take(id, slow, SHORT_LEASE))
    await leaseRunsOut()
    assert.equal(await bench.write(keep(id, slow)), true)
    assert.equal(await bench.write(take(id, next)), true)
    assert.equal(await bench.write(keep(id, slow)), false)
    await bench.write(end(id, slow))
    assert.equal(await bench.write(keep(id, next)), true)
  })

  it('hands a lease over only after the transaction of its holder', async () => {
    const { id } = await bench.account()
    const [slow, next] = holders()
    await bench.write(take(id, slow, SHORT_LEASE))
    await leaseRunsOut()
    let kept = false
    const { first, others } = await bench.overlap(
      async (tx, meanwhile) => {
        const mine = await tx.subscriptions.keepLease(id, slow)
        await meanwhile()
        kept = true
        return mine
      },
      [
        async (tx) => {
          const taken = await tx.subscriptions.takeLease(id, next, MINUTE)
          return taken && kept
        },
      ],
    )
    assert.deepEqual([first, others], [true, [true]])
  })

  it('gives no lease of a deleted account', async () => {
    const { id } = await bench.account()
    const { others } = await bench.overlap((tx) => eraseAccount(tx, id), [take(id, randomUUID())])
    assert.deepEqual(others, [false])
    for (const accountId of [id, 'no uuid']) {
      assert.equal(await bench.write(keep(accountId, randomUUID())), false)
      await bench.write(end(accountId, randomUUID()))
    }
  })

  it('accepts a message until it has been processed completely', async () => {
    const [processor, id] = [freshName('processor'), freshName('evt')]
    const begin = (tx: Stores<'subscriptions'>) => tx.subscriptions.beginMessage(processor, id, NOW)
    const finish = (tx: Stores<'subscriptions'>) => tx.subscriptions.endMessage(processor, id, NOW)
    assert.equal(await bench.write(begin), true)
    assert.equal(await bench.write(begin), true)
    const { first, others } = await bench.overlap(finish, [finish, finish])
    assert.deepEqual([first, ...others], [true, false, false])
    assert.equal(await bench.write(begin), false)
    assert.equal(await bench.write((tx) => tx.subscriptions.beginMessage(freshName(), id, NOW)), true)
    const unread = freshName('evt')
    assert.equal(await bench.write((tx) => tx.subscriptions.endMessage(processor, unread, NOW)), true)
  })

  it('deletes old messages, up to the given limit', async () => {
    const processor = freshName('processor')
    for (const id of ['a', 'b']) await bench.write((tx) => tx.subscriptions.endMessage(processor, id, LONG_AGO))
    await bench.write((tx) => tx.subscriptions.endMessage(processor, 'new', NOW))
    const before = new Date(LONG_AGO.getTime() + 1)
    assert.equal(await bench.write((tx) => tx.subscriptions.deleteMessages(before, 1)), 1)
    await bench.write((tx) => tx.subscriptions.deleteMessages(before, 1_000))
    assert.equal(await bench.write((tx) => tx.subscriptions.deleteMessages(before, 1)), 0)
    assert.equal(await bench.write((tx) => tx.subscriptions.beginMessage(processor, 'a', NOW)), true)
    assert.equal(await bench.write((tx) => tx.subscriptions.beginMessage(processor, 'new', NOW)), false)
  })
})
