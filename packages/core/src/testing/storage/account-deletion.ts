import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eraseAccount } from '../erase-account.ts'
import { newToken } from '../records.ts'
import { casesFor, HOUR } from './bench.ts'

export const accountDeletionCases = casesFor([], (it, bench) => {
  it('refuses an email address that another account has, and keeps the transaction usable', async () => {
    const [one, other] = [await bench.account(), await bench.account()]
    await bench.write(async (tx) => {
      assert.equal(await tx.accounts.save(one.id, { email: other.email.toUpperCase(), fullName: 'Eve' }), undefined)
      assert.ok(await tx.accounts.save(one.id, { tier: 'pro' }))
    })
    assert.deepEqual(await bench.read.accounts.get(one.id), { ...one, tier: 'pro' })
  })

  it('gives an email address to the account whose change commits first', async () => {
    const [one, other] = [await bench.account(), await bench.account()]
    const email = `new.${one.email}`
    const { first, others } = await bench.overlap(
      (tx) => tx.accounts.save(one.id, { email }),
      [(tx) => tx.accounts.save(other.id, { email })],
    )
    assert.equal(first?.email, email)
    assert.deepEqual(others, [undefined])
    assert.deepEqual(await bench.read.accounts.get(other.id), other)
  })

  it('locks an account until the transaction ends', async () => {
    const { id } = await bench.account()
    const { others } = await bench.overlap(
      async (tx) => {
        assert.equal((await tx.accounts.lock(id))?.id, id)
        await tx.accounts.save(id, { fullName: 'first' })
      },
      [async (tx) => (await tx.accounts.lock(id))?.fullName],
    )
    assert.deepEqual(others, ['first'], 'the second lock waits and reads the committed change')

    const { first } = await bench.overlap(
      async (tx, meanwhile) => {
        await tx.accounts.lock(id)
        await meanwhile()
        return (await tx.accounts.get(id))?.fullName
      },
      [(tx) => tx.accounts.save(id, { fullName: 'second' })],
    )
    assert.equal(first, 'first', 'a locked account cannot be saved by others')
    assert.equal((await bench.read.accounts.get(id))?.fullName, 'second')
    for (const unknown of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.write((tx) => tx.accounts.lock(unknown)), undefined)
    }
  })

  it('lists only accounts whose deletion is due, longest overdue first', async () => {
    // Before any other record that the storage may hold.
    const at = (ms: number) => new Date(Date.UTC(1990, 0, 1) + ms)
    const due = []
    for (const deletionScheduledAt of [at(2), at(0), at(1), new Date(Date.now() + HOUR), null]) {
      const { id } = await bench.account()
      due.push(await bench.write((tx) => tx.accounts.save(id, { deletionScheduledAt })))
    }
    const [third, first, second, later, never] = due
    assert.deepEqual(await bench.read.accounts.listDueForPurge(2), [first, second])
    assert.deepEqual(await bench.read.accounts.listDueForPurge(2, first), [second, third])
    const all = await bench.read.accounts.listDueForPurge(1_000)
    assert.deepEqual(all[2], third)
    const ids = all.map(({ id }) => id)
    for (const account of [later, never]) assert.equal(ids.includes(account?.id ?? ''), false)
    for (const account of [first, second, third]) await bench.write((tx) => eraseAccount(tx, account?.id ?? ''))
  })

  it('purges an account once, and rejects what is added to it meanwhile', async () => {
    const account = await bench.account()
    const purge = () => bench.write((tx) => eraseAccount(tx, account.id))
    const outcomes = await Promise.all([purge(), purge(), purge()])
    assert.deepEqual(outcomes.sort(), [false, false, true])
    await assert.rejects(bench.write((tx) => tx.tokens.put(newToken(account.id))))
    assert.equal(await bench.write((tx) => eraseAccount(tx, 'no uuid')), false)
    const { email, username } = account
    assert.ok(await bench.account({ email, username }), 'email address and username are free again')
  })
})
