import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiKey, NewApiKey } from '../../ports/storage/api-keys.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newApiKey } from '../records.ts'
import { casesFor, HOUR, MINUTE, ODD_TEXT, present } from './bench.ts'

const NOW = new Date('2026-08-08T08:08:08.008Z')
const UNUSED = { lastUsedAt: null, total: 0, last24h: 0, last30d: 0 }

const insert = (key: NewApiKey) => (tx: Stores<'apiKeys'>) => tx.apiKeys.insert(key)
const revoke =
  ({ id, accountId }: ApiKey) =>
  (tx: Stores<'apiKeys'>) =>
    tx.apiKeys.revoke(id, accountId, NOW)

export const apiKeyCases = casesFor(['apiKeys'], (it, bench) => {
  const made = async (changes?: Partial<NewApiKey>) => {
    const key = await bench.write(insert(newApiKey(changes?.accountId ?? (await bench.account()).id, changes)))
    assert.ok(key)
    return key
  }
  const madeWith = ({ id, accountId }: ApiKey) => made({ accountId, parentId: id })

  it('stores a key as it was inserted, and finds it with its account', async () => {
    const account = await bench.account({ fullName: ODD_TEXT })
    const { id: profileId } = await bench.profile({ ownerAccountId: account.id })
    const key = newApiKey(account.id, { profileId, name: ODD_TEXT, expiresAt: new Date(Date.now() + HOUR) })
    const inserted = await bench.write(insert(key))
    assert.ok(inserted && Number.isSafeInteger(inserted.id))
    assert.deepEqual(inserted, { ...key, id: inserted.id, revokedAt: null })
    assert.deepEqual(await bench.read.apiKeys.get(inserted.id, account.id), inserted)
    assert.deepEqual(await bench.read.apiKeys.getByHash(key.hash), { key: inserted, account })

    const deletionScheduledAt = new Date('2027-02-02T02:02:02.002Z')
    await bench.write((tx) => tx.accounts.save(account.id, { tier: 'team', isAdmin: true, deletionScheduledAt }))
    const found = await bench.read.apiKeys.getByHash(key.hash)
    assert.deepEqual(found?.account, { ...account, tier: 'team', isAdmin: true, deletionScheduledAt })
  })

  it('returns no unknown key and no key of another account', async () => {
    const { id, hash } = await made()
    const other = await bench.account()
    for (const unknown of [hash.toUpperCase().replace(/^./, 'g'), '', '\0']) {
      assert.equal(await bench.read.apiKeys.getByHash(unknown), undefined)
    }
    for (const accountId of [other.id, randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.apiKeys.get(id, accountId), undefined)
      assert.deepEqual(await bench.read.apiKeys.listOfAccount(accountId), [])
    }
  })

  it('lists the active keys of an account, oldest first', async () => {
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

  it('accepts a key until it expires', async () => {
    const good = await made({ expiresAt: new Date(Date.now() + HOUR) })
    const brief = await made({ expiresAt: new Date(Date.now() + 200) })
    const over = await made({ expiresAt: new Date(Date.now() - HOUR) })
    assert.ok(await bench.read.apiKeys.getByHash(good.hash))
    // The clock of the database decides, and it may differ from ours.
    for (const patience = Date.now() + MINUTE; await bench.read.apiKeys.getByHash(brief.hash); await sleep(50)) {
      assert.ok(Date.now() < patience, 'the key must expire')
    }
    for (const each of [brief, over]) {
      assert.equal(await bench.read.apiKeys.getByHash(each.hash), undefined)
      assert.deepEqual(await bench.read.apiKeys.get(each.id, each.accountId), each)
      assert.deepEqual(await bench.write(revoke(each)), [])
    }
  })

  it('revokes a key immediately, for exactly one of many callers', async () => {
    const key = await made()
    const other = await bench.account()
    assert.deepEqual(await bench.write(revoke({ ...key, accountId: other.id })), [])
    const ended = { ...key, revokedAt: NOW }
    const { first, others } = await bench.overlap(revoke(key), [revoke(key), revoke(key)])
    assert.deepEqual([first, ...others], [[ended], [], []])
    assert.equal(await bench.read.apiKeys.getByHash(key.hash), undefined)
    assert.deepEqual(await bench.read.apiKeys.get(key.id, key.accountId), ended)
  })

  it('revokes a held key only after the transaction that holds it', async () => {
    const root = await made()
    const { id: keyId } = await madeWith(root)
    const ended: string[] = []
    await bench.overlap(
      async (tx, meanwhile) => {
        assert.equal((await tx.apiKeys.hold(keyId))?.account.id, root.accountId)
        await meanwhile()
        ended.push('write')
      },
      [
        async (tx) => {
          await tx.apiKeys.revoke(root.id, root.accountId, NOW)
          ended.push('revocation')
        },
      ],
    )
    assert.deepEqual(ended, ['write', 'revocation'])
  })

  it('holds no key that is revoked, expired or about to be revoked', async () => {
    const [key, valid] = [await made(), await made({ expiresAt: new Date(Date.now() + HOUR) })]
    const over = await made({ expiresAt: new Date(Date.now() - HOUR) })
    const hold = (id: number) => (tx: Stores<'apiKeys'>) => tx.apiKeys.hold(id)
    const { others } = await bench.overlap(revoke(key), [hold(key.id), hold(valid.id)])
    assert.deepEqual(
      others.map((found) => found?.key),
      [undefined, valid],
    )
    for (const id of [key.id, over.id, 999_999_999]) assert.equal(await bench.write(hold(id)), undefined)
  })

  it('revokes all keys that a key created, directly or indirectly, and no others', async () => {
    const root = await made()
    const child = await madeWith(root)
    const grandchild = await madeWith(child)
    const sibling = await made({ accountId: root.accountId })
    const over = await made({ accountId: root.accountId, parentId: root.id, expiresAt: new Date(Date.now() - HOUR) })
    const before = new Date(NOW.getTime() - HOUR)
    const early = await madeWith(root)
    await bench.write((tx) => tx.apiKeys.revoke(early.id, early.accountId, before))

    const ended = [root, child, grandchild].map((key) => ({ ...key, revokedAt: NOW }))
    assert.deepEqual(await bench.write(revoke(root)), ended)
    for (const { hash } of ended) assert.equal(await bench.read.apiKeys.getByHash(hash), undefined)
    assert.ok(await bench.read.apiKeys.getByHash(sibling.hash))
    assert.deepEqual(await bench.read.apiKeys.get(over.id, over.accountId), over)
    assert.deepEqual(await bench.read.apiKeys.get(early.id, early.accountId), { ...early, revokedAt: before })
  })

  it('creates no key with a revoked key or a key of another account', async () => {
    const [ended, expired, foreign] = [
      await made(),
      await made({ expiresAt: new Date(Date.now() - HOUR) }),
      await made(),
    ]
    await bench.write(revoke(ended))
    for (const { id, accountId } of [ended, expired, { ...foreign, accountId: ended.accountId }]) {
      assert.equal(await bench.write(insert(newApiKey(accountId, { parentId: id }))), undefined)
    }
  })

  it('leaves no active key that was created while its parent was being revoked', async () => {
    const root = await made()
    const child = await madeWith(root)
    const late = insert(newApiKey(root.accountId, { parentId: child.id }))
    const { first, others } = await bench.overlap(late, [revoke(root)])
    assert.deepEqual(
      others.flat().map(({ id }) => id),
      [root.id, child.id, first?.id],
    )
    assert.deepEqual(await bench.read.apiKeys.listOfAccount(root.accountId), [])

    const other = await made()
    const tooLate = await bench.overlap(revoke(other), [insert(newApiKey(other.accountId, { parentId: other.id }))])
    assert.deepEqual(tooLate.others, [undefined])
  })

  it('deletes the keys of a profile with the profile, and keeps the keys of the whole account', async () => {
    const profile = await bench.profile()
    const accountId = profile.ownerAccountId
    const [bound, free] = [await made({ accountId, profileId: profile.id }), await made({ accountId })]
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.equal(await bench.read.apiKeys.getByHash(bound.hash), undefined)
    assert.equal(await bench.read.apiKeys.get(bound.id, accountId), undefined)
    assert.deepEqual((await bench.read.apiKeys.getByHash(free.hash))?.key, free)
  })

  it('revokes a single key, and assigns the keys it created to another key', async () => {
    const { id: accountId } = await bench.account()
    const insert = async (parentId: number | null) =>
      present(await bench.write((tx) => tx.apiKeys.insert(newApiKey(accountId, { parentId }))))
    const old = await insert(null)
    const child = await insert(old.id)
    const next = await insert(null)
    const ended = await bench.write(async (tx) => {
      const keys = await tx.apiKeys.revoke(old.id, accountId, NOW, { keepChildren: true })
      await tx.apiKeys.adopt(accountId, { from: old.id, to: next.id })
      return keys
    })
    assert.deepEqual(
      ended.map(({ id }) => id),
      [old.id],
    )
    assert.equal((await bench.read.apiKeys.get(child.id, accountId))?.parentId, next.id)
    const both = await bench.write((tx) => tx.apiKeys.revoke(next.id, accountId, NOW))
    assert.deepEqual(
      both.map(({ id }) => id),
      [next.id, child.id],
    )
  })

  it('deletes ended keys after those that were created with them, up to the given limit, and no active key', async () => {
    const { id: accountId } = await bench.account()
    const [active, young] = [await made({ accountId }), await made({ accountId })]
    const parent = await made({ accountId })
    const child = await madeWith(parent)
    const grandchild = await madeWith(child)
    // Earlier than every other key of the cases, by one of the times and by the other.
    const at = (ms: number) => new Date(Date.UTC(1990, 0, 1) + ms)
    await bench.write((tx) => tx.apiKeys.revoke(parent.id, accountId, at(1)))
    const expired = await made({ accountId, expiresAt: at(2) })
    await bench.write((tx) => tx.apiKeys.revoke(young.id, accountId, at(9)))
    const deleteEnded = (before: Date, limit: number) => bench.write((tx) => tx.apiKeys.deleteEnded(before, limit))
    const left = async () => {
      const keys = [active, young, parent, child, grandchild, expired]
      const found = await Promise.all(keys.map(({ id }) => bench.read.apiKeys.get(id, accountId)))
      return found.map((key) => key !== undefined)
    }
    assert.equal(await deleteEnded(at(1), 9), 0)
    assert.equal(await deleteEnded(at(9), 1), 1)
    assert.deepEqual(await left(), [true, true, true, true, false, true])
    let deleted = 0
    for (let last = 1; last > 0; deleted += last) last = await deleteEnded(at(9), 9)
    assert.equal(deleted, 3)
    assert.deepEqual(await left(), [true, true, false, false, false, false])
  })
})
