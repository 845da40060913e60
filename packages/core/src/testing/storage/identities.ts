import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Identity } from '../../ports/storage/oauth.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName, newIdentity } from '../records.ts'
import { casesFor, ODD_TEXT } from './bench.ts'

const insert = (identity: Identity) => (tx: Stores<'identities'>) => tx.identities.insert(identity)

export const identityCases = casesFor(['identities'], (it, bench) => {
  it('stores an identity, and finds its account', async () => {
    const account = await bench.account()
    const identity = newIdentity(account.id, { subject: `${ODD_TEXT} ${freshName()}`, email: null })
    const { provider, subject } = identity
    assert.deepEqual(await bench.write(insert(identity)), identity)
    assert.deepEqual(await bench.read.identities.get(provider, subject), identity)
    assert.deepEqual(await bench.read.identities.getAccount(provider, subject), account)
  })

  it('returns undefined for unknown identities', async () => {
    const identity = newIdentity((await bench.account()).id)
    await bench.write(insert(identity))
    for (const [provider, subject] of [
      ['google', identity.subject],
      [identity.provider, freshName()],
      ['\0', '\0'],
    ] as const) {
      assert.equal(await bench.read.identities.get(provider, subject), undefined)
      assert.equal(await bench.read.identities.getAccount(provider, subject), undefined)
    }
    for (const id of [randomUUID(), 'no uuid']) assert.deepEqual(await bench.read.identities.listOfAccount(id), [])
  })

  it('links a user of a provider to one account only, and keeps the transaction usable', async () => {
    const [one, other] = [await bench.account(), await bench.account()]
    const linked = newIdentity(one.id)
    const next = newIdentity(other.id)
    await bench.write(insert(linked))
    await bench.write(async (tx) => {
      assert.equal(await tx.identities.insert({ ...linked, accountId: other.id }), undefined)
      assert.equal(await tx.identities.insert(linked), undefined)
      assert.ok(await tx.identities.insert(next))
      assert.ok(await tx.identities.insert({ ...linked, provider: 'google' }))
    })
    assert.deepEqual(await bench.read.identities.get(linked.provider, linked.subject), linked)
  })

  it('deletes one identity of an account, and no other', async () => {
    const [{ id }, other] = [await bench.account(), await bench.account()]
    const [identity, second] = [newIdentity(id), newIdentity(id)]
    for (const one of [identity, second]) await bench.write(insert(one))
    for (const wrong of [
      { ...identity, accountId: other.id },
      { ...identity, subject: freshName() },
      { ...identity, provider: 'google' },
      { ...identity, subject: '\0' },
      { ...identity, accountId: 'no uuid' },
    ])
      assert.equal(await bench.write((tx) => tx.identities.delete(wrong)), false)
    const remove = (tx: Stores<'identities'>) => tx.identities.delete(identity)
    const { first, others } = await bench.overlap(remove, [remove])
    assert.deepEqual([first, ...others], [true, false])
    assert.deepEqual(await bench.read.identities.listOfAccount(id), [second])
  })

  it('links a user of a provider in the transaction that commits first, or in the next when that fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const [one, other] = [await bench.account(), await bench.account()]
      const identity = newIdentity(one.id)
      const { first, others } = await bench.overlap(
        insert(identity),
        [insert({ ...identity, accountId: other.id })],
        end,
      )
      const winner = end === 'commit' ? one : other
      assert.deepEqual([first, ...others].filter(Boolean), [{ ...identity, accountId: winner.id }])
    }
  })

  it('lists the identities of an account, oldest first', async () => {
    const { id } = await bench.account()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const [second, first] = [newIdentity(id, { createdAt: at(2) }), newIdentity(id, { createdAt: at(1) })]
    for (const identity of [second, first, newIdentity((await bench.account()).id)]) await bench.write(insert(identity))
    assert.deepEqual(await bench.read.identities.listOfAccount(id), [first, second])
  })
})
