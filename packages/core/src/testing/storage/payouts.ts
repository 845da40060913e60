import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import type { NewPayout, Wallet } from '../../ports/storage/wallets.ts'
import { newPayout, newWallet } from '../records.ts'
import { casesFor } from './bench.ts'

const insert = (payout: NewPayout) => (tx: Stores<'wallets'>) => tx.payouts.insert(payout)

export const payoutCases = casesFor(['wallets'], (it, bench) => {
  const wallet = async (accountId?: string): Promise<Wallet> => {
    const made = newWallet(accountId ?? (await bench.account()).id)
    return bench.write((tx) => tx.wallets.put(made))
  }

  it('stores a payout as it was inserted', async () => {
    const payout = newPayout(await wallet())
    const made = await bench.write(insert(payout))
    assert.ok(Number.isSafeInteger(made.id))
    assert.deepEqual(made, { ...payout, id: made.id })
    assert.deepEqual(await bench.read.payouts.get(made.id), made)
    assert.equal(await bench.read.payouts.get(Number.MAX_SAFE_INTEGER), undefined)
    for (const id of [randomUUID(), 'no uuid']) {
      assert.deepEqual(await bench.read.payouts.listOfAccount(id), [])
      assert.deepEqual(await bench.read.payouts.addressesOf(id), {})
    }
  })

  it('uses the enabled payout that was added last on each network', async () => {
    const first = await wallet()
    const { accountId } = first
    const second = await wallet(accountId)
    const old = await bench.write(insert(newPayout(first)))
    const elsewhere = await bench.write(insert(newPayout(first, { network: 'eip155:1' })))
    const foreign = await bench.write(insert(newPayout(await wallet())))
    const now = await bench.write(insert(newPayout(second)))
    const off = await bench.write(insert(newPayout(first, { enabled: false })))
    await bench.write(insert(newPayout(first, { network: 'eip155:10', enabled: false })))

    assert.deepEqual((await bench.read.payouts.listOfAccount(accountId)).slice(0, 4), [
      { ...old, enabled: false },
      elsewhere,
      now,
      off,
    ])
    assert.deepEqual(await bench.read.payouts.addressesOf(accountId), {
      'eip155:1': first.address,
      [now.network]: second.address,
    })
    assert.deepEqual(await bench.read.payouts.get(foreign.id), foreign)
  })

  it('keeps one payout of a network enabled when many are added concurrently', async () => {
    const to = await wallet()
    const { others } = await bench.overlap(
      insert(newPayout(to)),
      [1, 2, 3].map(() => insert(newPayout(to))),
    )
    assert.equal(others.length, 3)
    const payouts = await bench.read.payouts.listOfAccount(to.accountId)
    assert.equal(payouts.length, 4)
    assert.equal(payouts.filter(({ enabled }) => enabled).length, 1)
  })

  it('deletes a payout once', async () => {
    const { id } = await bench.write(insert(newPayout(await wallet())))
    const remove = (tx: Stores<'wallets'>) => tx.payouts.delete(id)
    const { first, others } = await bench.overlap(remove, [remove, remove])
    assert.deepEqual([first, ...others], [true, false, false])
    assert.equal(await bench.read.payouts.get(id), undefined)
  })

  it('disables the payouts of a wallet, and returns how many were enabled', async () => {
    const [one, other] = [await wallet(), await wallet()]
    await bench.write(insert(newPayout(one)))
    await bench.write(insert(newPayout(one, { network: 'eip155:1' })))
    await bench.write(insert(newPayout(one)))
    const kept = await bench.write(insert(newPayout(other)))
    assert.equal(await bench.write((tx) => tx.payouts.disableOfWallet(one.id)), 2)
    assert.equal(await bench.write((tx) => tx.payouts.disableOfWallet(one.id)), 0)
    assert.deepEqual(await bench.read.payouts.addressesOf(one.accountId), {})
    assert.deepEqual(await bench.read.payouts.get(kept.id), kept)
    assert.equal(await bench.write((tx) => tx.payouts.disableOfWallet('no uuid')), 0)
  })
})
