import assert from 'node:assert/strict'
import type { AccountQuery } from '../../ports/storage/admin.ts'
import { freshName } from '../records.ts'
import { casesFor, HOUR, present } from './bench.ts'

export const directoryCases = casesFor(['directory', 'subscriptions', 'files'], (it, bench) => {
  const found = async (query: AccountQuery) => {
    const { items, total } = await bench.read.directory.listAccounts(query, { limit: 100 })
    assert.equal(total, items.length)
    return items.map(({ account }) => account.id)
  }

  it('lists each account once, newest first, in pages', async () => {
    const name = freshName()
    const at = (minutes: number) => new Date(Date.UTC(2001, 0, 1, 0, minutes))
    const made = []
    // Two accounts have the same time of creation.
    for (const minutes of [0, 1, 1, 2]) {
      made.push(await bench.account({ username: `${name}-${made.length}`, createdAt: at(minutes) }))
    }
    const [oldest, , , newest] = made
    const whole = await found({ text: name })
    assert.equal(whole.length, 4)
    assert.equal(whole[0], newest?.id)
    assert.equal(whole[3], oldest?.id)
    const paged: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await bench.read.directory.listAccounts({ text: name }, { limit: 1, cursor })
      assert.equal(page.total, 4)
      paged.push(...page.items.map(({ account }) => account.id))
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    assert.deepEqual(paged, whole)
  })

  it('finds accounts by a part of a name in any case and by id, and takes wildcards literally', async () => {
    const name = freshName()
    const { id } = await bench.account({ username: name })
    assert.deepEqual(await found({ text: name.toUpperCase() }), [id])
    assert.deepEqual(await found({ text: id }), [id])
    assert.deepEqual(await found({ text: `${name.slice(0, -1)}_` }), [])
    assert.deepEqual(await found({ text: `${name}%` }), [])
    assert.deepEqual(await found({ text: '\0' }), [])
    assert.equal((await bench.read.directory.getAccount(id))?.account.username, name)
    assert.equal(await bench.read.directory.getAccount('unknown'), undefined)
  })

  it('finds an account by its whole email address in any case, and by no part of it', async () => {
    const { id, email } = await bench.account({ username: freshName() })
    assert.deepEqual(await found({ email }), [id])
    assert.deepEqual(await found({ email: email.toUpperCase() }), [id])
    assert.deepEqual(await found({ email: email.slice(1) }), [])
    assert.deepEqual(await found({ email, banned: true }), [])
    assert.deepEqual(await found({ email: `%${email}` }), [])
    assert.deepEqual(await found({ email: '\0' }), [])
  })

  it('filters accounts by tier, ban and rights', async () => {
    const name = freshName()
    const plain = await bench.account({ username: `${name}-a` })
    const other = await bench.account({ username: `${name}-b` })
    await bench.write((tx) => tx.accounts.save(other.id, { tier: 'team', bannedAt: new Date(), isAdmin: true }))
    for (const [query, rest] of [
      [{ tier: 'team' }, { tier: 'community' }],
      [{ banned: true }, { banned: false }],
      [{ isAdmin: true }, { isAdmin: false }],
    ] as const) {
      assert.deepEqual(await found({ text: name, ...query }), [other.id])
      assert.deepEqual(await found({ text: name, ...rest }), [plain.id])
    }
  })

  it('counts accounts, profiles and pages', async () => {
    const since = new Date(Date.now() - HOUR)
    const before = await bench.read.directory.measure(since)
    const profile = await bench.profile({ type: 'place' })
    await bench.write((tx) => tx.accounts.save(profile.ownerAccountId, { bannedAt: new Date() }))
    await bench.page(profile)
    const after = await bench.read.directory.measure(since)
    assert.ok(after.accounts.total > before.accounts.total)
    assert.ok(after.accounts.banned > before.accounts.banned)
    assert.ok(after.accounts.recent <= after.accounts.total)
    assert.ok(present(after.profiles.byType.place) > (before.profiles.byType.place ?? 0))
    assert.ok(after.pages.total > before.pages.total)
  })
})
