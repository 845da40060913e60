import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newAccount, newCategory, newEvent, newGrant, newPage, newPayment, newProfile, newReceipt } from '../records.ts'
import { casesFor, chance, MINUTE, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'

export const transactionCases = casesFor([], (it, bench) => {
  it('is ready to serve', () => bench.storage.ping())

  it('returns the result of the work, and reads its own writes', async () => {
    const account = newAccount()
    const answer = await bench.write(async (tx) => {
      await tx.accounts.insert(account)
      return { found: await tx.accounts.get(account.id) }
    })
    assert.equal(answer.found?.id, account.id)
  })

  it('throws what the work throws', async () => {
    const error = new Error('a fault of the work')
    const thrown = bench.write(async (tx) => {
      await tx.accounts.insert(newAccount())
      throw error
    })
    await assert.rejects(thrown, (caught) => caught === error)
  })

  it('shows no change of a transaction before it commits, and all changes after', async () => {
    const account = newAccount()
    const written = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    let committed = false
    const writing = bench.write(async (tx) => {
      await tx.accounts.insert(account)
      written.resolve()
      await released.promise
    })
    await Promise.race([written.promise, writing])
    // On a storage with one connection the reader waits until the transaction is over.
    const reading = bench.read.accounts.get(account.id).then((found) => ({ found, early: !committed }))
    await chance(reading)
    committed = true
    released.resolve()
    await writing
    const { found, early } = await reading
    if (early) assert.equal(found, undefined)
    assert.ok(await bench.read.accounts.get(account.id))
  })

  it('serves many concurrent transactions and readers', async () => {
    const accounts = Array.from({ length: 30 }, () => newAccount())
    const made = await Promise.all(
      accounts.map(async (account) => {
        await bench.write((tx) => tx.accounts.insert(account))
        return bench.read.accounts.get(account.id)
      }),
    )
    assert.deepEqual(
      made.map((account) => account?.id),
      accounts.map(({ id }) => id),
    )
  })

  it('continues to serve after failed transactions', async () => {
    const failing = Array.from({ length: 15 }, () =>
      bench.write(async (tx) => {
        await tx.accounts.insert(newAccount())
        throw new Error('on purpose')
      }),
    )
    const outcomes = await Promise.allSettled(failing)
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    assert.ok(await bench.account())
  })
})

export const followedTransactionCases = casesFor(['followers'], (it, bench) => {
  it('stores nothing of a failed transaction', async () => {
    const account = newAccount()
    const [payment, receipt, name] = [newPayment(), newReceipt(), randomUUID()]
    const after = await bench.endOfLog()
    const event = newEvent()
    const { read } = bench
    const kept = await bench.profile()
    const made = { profile: 0, category: 0, page: 0, entitlement: newGrant(0) }
    const work = bench.write(async (tx) => {
      await tx.accounts.insert(account)
      const profile = present(await tx.profiles.insert(newProfile(account.id)))
      const category = present(await tx.categories.insert(newCategory(profile.id)))
      const page = present(await tx.pages.insert(newPage(profile.id, account.id, { categoryId: category.id })))
      made.profile = profile.id
      made.category = category.id
      made.page = page.id
      made.entitlement = newGrant(profile.id)
      await tx.gates.put({
        profileId: profile.id,
        config: gateConfig(),
        changedBy: randomUUID(),
        updatedAt: new Date(),
      })
      await tx.entitlements.grant(made.entitlement)
      await tx.payments.claim(payment, MINUTE)
      await tx.receipts.insert(receipt)
      await tx.profiles.save(kept.id, { bio: 'changed', updatedAt: new Date() })
      await tx.followers.lease({ name, holder: 'gone' }, { leaseMs: MINUTE, start: '0-0-1' })
      await tx.events.append([event])
      throw new Error('at the very end')
    })
    await assert.rejects(work, /at the very end/)

    assert.equal(await read.accounts.get(account.id), undefined)
    assert.equal(await read.profiles.get(made.profile), undefined)
    assert.equal(await read.categories.get(made.category), undefined)
    assert.equal(await read.pages.get(made.page), undefined)
    assert.equal(await read.gates.get(made.profile), undefined)
    assert.deepEqual(await read.entitlements.listActive(made.entitlement), [])
    assert.equal(await read.payments.get(payment.id), undefined)
    assert.equal(await read.receipts.get(receipt.receiptId), undefined)
    assert.deepEqual(await read.profiles.get(kept.id), kept)
    const events = await bench.events(after)
    assert.equal(
      events.some(({ id }) => id === event.id),
      false,
    )
    const start = '0-0-2'
    const cursor = await bench.write((tx) => tx.followers.lease({ name, holder: 'new' }, { leaseMs: MINUTE, start }))
    assert.equal(cursor, start)
    assert.ok(await bench.write((tx) => tx.accounts.insert(account)), 'the names are free')
  })
})
