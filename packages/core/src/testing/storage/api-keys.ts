import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiKey, NewApiKey } from '../../modules/api-keys/store.ts'
import type { Stores } from '../../ports/storage.ts'
import { newApiKey } from '../records.ts'
import { type Cases, HOUR, ODD_TEXT } from './bench.ts'

const NOW = new Date('2026-08-08T08:08:08.008Z')
const UNUSED = { lastUsedAt: null, total: 0, last24h: 0, last30d: 0 }

const insert = (key: NewApiKey) => (tx: Stores) => tx.apiKeys.insert(key)
const revoke =
  ({ id, accountId }: ApiKey) =>
  (tx: Stores) =>
    tx.apiKeys.revoke(id, accountId, NOW)

export const apiKeyCases: Cases = (it, bench) => {
  const made = async (changes?: Partial<NewApiKey>) =>
    bench.write(insert(newApiKey(changes?.accountId ?? (await bench.account()).id, changes)))

  it('keeps a key as it was made, and finds it with its account', async () => {
    const account = await bench.account({ fullName: ODD_TEXT })
    const { id: profileId } = await bench.profile({ ownerAccountId: account.id })
    const key = newApiKey(account.id, { profileId, name: ODD_TEXT, expiresAt: new Date(Date.now() + HOUR) })
    const inserted = await bench.write(insert(key))
    assert.ok(Number.isSafeInteger(inserted.id))
    assert.deepEqual(inserted, { ...key, id: inserted.id, revokedAt: null })
    assert.deepEqual(await bench.read.apiKeys.get(inserted.id, account.id), inserted)
    assert.deepEqual(await bench.read.apiKeys.getByHash(key.hash), { key: inserted, account })

    const deletionScheduledAt = new Date('2027-02-02T02:02:02.002Z')
    await bench.write((tx) => tx.accounts.save(account.id, { tier: 'team', isAdmin: true, deletionScheduledAt }))
    const found = await bench.read.apiKeys.getByHash(key.hash)
    assert.deepEqual(found?.account, { ...account, tier: 'team', isAdmin: true, deletionScheduledAt })
  })

  it('finds no key that is unknown or another’s', async () => {
    const { id, hash } = await made()
    const other = await bench.account()
    for (const unknown of [hash.toUpperCase().replace(/^./, 'g'), '', '\0']) {
      assert.equal(await bench.read.apiKeys.getByHash(unknown), undefined)
    }
    for (const whose of [other.id, randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.apiKeys.get(id, whose), undefined)
      assert.deepEqual(await bench.read.apiKeys.listOfAccount(whose), [])
    }
  })

  it('lists the good keys of an account, oldest first', async () => {
    const { id: accountId } = await bench.account()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const keys = []
    for (const ms of [2, 1, 3, 0]) keys.push(await made({ accountId, createdAt: at(ms) }))
    const [third, second, revoked, first] = keys
    assert.ok(first && second && third && revoked)
    await made({ accountId, expiresAt: at(9) })
    await bench.write(revoke(revoked))
    assert.deepEqual(
      await bench.read.apiKeys.listOfAccount(accountId),
      [first, second, third].map((key) => ({ ...key, usage: UNUSED })),
    )
  })

  it('lets a key in until it expires', async () => {
    const key = await made({ expiresAt: new Date(Date.now() + 300) })
    const over = await made({ expiresAt: new Date(Date.now() - HOUR) })
    assert.ok(await bench.read.apiKeys.getByHash(key.hash))
    await sleep(400)
    for (const each of [key, over]) {
      assert.equal(await bench.read.apiKeys.getByHash(each.hash), undefined)
      assert.deepEqual(await bench.read.apiKeys.get(each.id, each.accountId), each)
      assert.equal(await bench.write(revoke(each)), undefined)
    }
  })

  it('ends a key at once, for exactly one of many', async () => {
    const key = await made()
    const other = await bench.account()
    assert.equal(await bench.write(revoke({ ...key, accountId: other.id })), undefined)
    const ended = { ...key, revokedAt: NOW }
    const { first, others } = await bench.overlap(revoke(key), [revoke(key), revoke(key)])
    assert.deepEqual([first, ...others], [ended, undefined, undefined])
    assert.equal(await bench.read.apiKeys.getByHash(key.hash), undefined)
    assert.deepEqual(await bench.read.apiKeys.get(key.id, key.accountId), ended)
  })

  it('takes the keys of a profile along with it, and leaves those for the whole account', async () => {
    const profile = await bench.profile()
    const accountId = profile.ownerAccountId
    const [bound, free] = [await made({ accountId, profileId: profile.id }), await made({ accountId })]
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.equal(await bench.read.apiKeys.getByHash(bound.hash), undefined)
    assert.equal(await bench.read.apiKeys.get(bound.id, accountId), undefined)
    assert.deepEqual((await bench.read.apiKeys.getByHash(free.hash))?.key, free)
  })
}
