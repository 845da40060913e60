import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Passkey } from '../../ports/storage/passkeys.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { lockForErasure } from '../erase-account.ts'
import { newPasskey } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

const LIMIT = 20
const insert =
  (passkey: Passkey, limit = LIMIT) =>
  (tx: Stores<'passkeys'>) =>
    tx.passkeys.insert(passkey, limit)
const use = (id: string, signCount: number) => (tx: Stores<'passkeys'>) =>
  tx.passkeys.use(id, { signCount, isBackedUp: true, usedAt: new Date('2026-07-07T07:07:07.007Z') })

export const passkeyCases = casesFor(['passkeys'], (it, bench) => {
  const added = async (changes?: Partial<Passkey>): Promise<Passkey> => {
    const passkey = newPasskey(changes?.accountId ?? (await bench.account()).id, changes)
    assert.equal(await bench.write(insert(passkey)), 'inserted')
    return passkey
  }

  it('stores a passkey as it was added, and finds it with its account', async () => {
    const account = await bench.account()
    const passkey = await added({ accountId: account.id, name: ODD_TEXT, signCount: 2 ** 32 - 1, isBackedUp: true })
    assert.deepEqual(await bench.read.passkeys.getWithAccount(passkey.credentialId), { passkey, account })
    assert.deepEqual(await bench.read.passkeys.listOfAccount(account.id), [passkey])
    for (const credentialId of [`${passkey.credentialId}x`, '\0', ''])
      assert.equal(await bench.read.passkeys.getWithAccount(credentialId), undefined)
    for (const id of [randomUUID(), 'no uuid']) assert.deepEqual(await bench.read.passkeys.listOfAccount(id), [])
  })

  it('lists the passkeys of an account, oldest first', async () => {
    const { id: accountId } = await bench.account()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const second = await added({ accountId, createdAt: at(2) })
    const first = await added({ accountId, createdAt: at(1) })
    await added()
    assert.deepEqual(await bench.read.passkeys.listOfAccount(accountId), [first, second])
  })

  it('adds a passkey of a device to one account, in the transaction that commits first', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const [one, other] = [await bench.account(), await bench.account()]
      const passkey = newPasskey(one.id)
      const rival = { ...passkey, id: randomUUID(), accountId: other.id }
      const { first, others } = await bench.overlap(insert(passkey), [insert(rival)], end)
      assert.deepEqual([first, ...others], end === 'commit' ? ['inserted', 'taken'] : [undefined, 'inserted'])
      const found = await bench.read.passkeys.getWithAccount(passkey.credentialId)
      assert.equal(found?.account.id, end === 'commit' ? one.id : other.id)
    }
  })

  it('adds no more passkeys than the limit, also concurrently', async () => {
    const { id } = await bench.account()
    const { first, others } = await bench.overlap(insert(newPasskey(id), 2), [
      insert(newPasskey(id), 2),
      insert(newPasskey(id), 2),
    ])
    assert.deepEqual([first, ...others].sort(), ['full', 'inserted', 'inserted'])
    assert.equal((await bench.read.passkeys.listOfAccount(id)).length, 2)
  })

  it('stores a use with a higher sign count, and refuses one with the same or a lower count', async () => {
    const passkey = await added({ signCount: 5 })
    for (const count of [5, 4, 0]) assert.equal(await bench.write(use(passkey.id, count)), false)
    assert.deepEqual(await bench.read.passkeys.listOfAccount(passkey.accountId), [passkey])
    assert.equal(await bench.write(use(passkey.id, 2 ** 32 - 1)), true)
    assert.deepEqual(await bench.read.passkeys.listOfAccount(passkey.accountId), [
      { ...passkey, signCount: 2 ** 32 - 1, isBackedUp: true, lastUsedAt: new Date('2026-07-07T07:07:07.007Z') },
    ])
    for (const id of [randomUUID(), 'no uuid']) assert.equal(await bench.write(use(id, 9)), false)
  })

  it('accepts every use of a device that does not count, and a first count from it', async () => {
    const { id } = await added({ signCount: 0 })
    for (const count of [0, 0, 1]) assert.equal(await bench.write(use(id, count)), true)
    assert.equal(await bench.write(use(id, 0)), false)
  })

  it('accepts one of concurrent uses with the same sign count, and another one when that fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { id } = await added({ signCount: 1 })
      const { first, others } = await bench.overlap(use(id, 2), [use(id, 2), use(id, 2)], end)
      assert.equal([first, ...others].filter(Boolean).length, 1)
      assert.equal(first, end === 'commit' ? true : undefined)
    }
  })

  it('renames a passkey of its account only', async () => {
    const passkey = await added()
    const other = await bench.account()
    const rename = (accountId: string, id: string) => bench.write((tx) => tx.passkeys.rename(accountId, id, ODD_TEXT))
    assert.equal(await rename(other.id, passkey.id), undefined)
    assert.equal(await rename(passkey.accountId, 'no uuid'), undefined)
    assert.equal(await rename('no uuid', passkey.id), undefined)
    assert.deepEqual(await rename(passkey.accountId, passkey.id), { ...passkey, name: ODD_TEXT })
  })

  it('deletes a passkey of its account once', async () => {
    const passkey = await added()
    const kept = await added({ accountId: passkey.accountId })
    const { id: other } = await bench.account()
    const remove = (accountId: string) => (tx: Stores<'passkeys'>) => tx.passkeys.delete(accountId, passkey.id)
    assert.equal(await bench.write(remove(other)), undefined)
    assert.equal(await bench.write(remove('no uuid')), undefined)
    const mine = remove(passkey.accountId)
    const { first, others } = await bench.overlap(mine, [mine, mine])
    assert.deepEqual([first, ...others], [passkey, undefined, undefined])
    assert.deepEqual(await bench.read.passkeys.listOfAccount(passkey.accountId), [kept])
  })

  it('deletes all passkeys of an account for a takeover', async () => {
    const { accountId } = await added()
    await added({ accountId })
    const other = await added()
    assert.equal(await bench.write((tx) => tx.passkeys.deleteOfAccount(accountId)), 2)
    assert.equal(await bench.write((tx) => tx.passkeys.deleteOfAccount('no uuid')), 0)
    assert.deepEqual(await bench.read.passkeys.listOfAccount(accountId), [])
    assert.deepEqual(await bench.read.passkeys.listOfAccount(other.accountId), [other])
  })

  it('erases only the passkeys of the given account', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    await added({ accountId: leaving.id })
    const kept = await added({ accountId: staying.id })
    await bench.write(async (tx) => tx.passkeys.eraseAccount(present(await lockForErasure(tx, leaving.id))))
    assert.deepEqual(await bench.read.passkeys.listOfAccount(leaving.id), [])
    assert.deepEqual(await bench.read.passkeys.listOfAccount(staying.id), [kept])
  })
})
