import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AccountChanges } from '../../ports/storage/accounts.ts'
import { freshName, newAccount, newApiKey, newIdentity } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

export const accountCases = casesFor(['identities', 'apiKeys', 'directory'], (it, bench) => {
  it('stores an account as it was inserted, with defaults for the other fields', async () => {
    const { passwordHash, ...account } = newAccount({
      fullName: ODD_TEXT,
      email: `Mixed.Case+${freshName()}@Example.com`,
    })
    const inserted = await bench.write((tx) => tx.accounts.insert({ ...account, passwordHash }))
    assert.deepEqual(inserted, {
      ...account,
      language: null,
      emailVerified: false,
      emailOwned: false,
      tokenVersion: 0,
      tier: 'community',
      grantedTier: null,
      hadTrial: false,
      isAdmin: false,
      bannedAt: null,
      deletionScheduledAt: null,
    })
    assert.deepEqual(await bench.read.accounts.get(account.id), inserted)
    assert.deepEqual(await bench.read.accounts.get({ username: account.username }), inserted)
    assert.deepEqual(await bench.read.accounts.get({ email: account.email }), inserted)
  })

  it('stores and removes the language of an account', async () => {
    const { id } = await bench.account({ language: 'pt-BR' })
    assert.equal((await bench.read.accounts.get(id))?.language, 'pt-BR')
    assert.equal((await bench.write((tx) => tx.accounts.save(id, { fullName: 'Ada' })))?.language, 'pt-BR')
    assert.equal((await bench.write((tx) => tx.accounts.save(id, { language: null })))?.language, null)
    assert.equal((await bench.read.accounts.get(id))?.language, null)
  })

  it('stores an account without a name and a password', async () => {
    const account = await bench.account({ fullName: null, passwordHash: null })
    assert.deepEqual(await bench.read.accounts.get(account.id), { ...account, fullName: null })
    assert.equal(await bench.read.accounts.getPasswordHash(account.id), null)
  })

  it('returns a password hash only from getPasswordHash', async () => {
    const { id, email, username } = await bench.account({ passwordHash: 'the hash of a password' })
    assert.equal(await bench.read.accounts.getPasswordHash(id), 'the hash of a password')
    for (const unknownId of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.accounts.getPasswordHash(unknownId), undefined)
    }
    const { read } = bench
    const identity = newIdentity(id)
    const key = newApiKey(id)
    await bench.write((tx) => tx.identities.insert(identity))
    await bench.write((tx) => tx.apiKeys.insert(key))
    const found = [
      await read.accounts.get(id),
      await read.accounts.get({ email }),
      await read.accounts.get({ username }),
      await read.identities.getAccount(identity.provider, identity.subject),
      await read.apiKeys.getByHash(key.hash),
      await read.directory.getAccount(id),
      await bench.write((tx) => tx.accounts.lock(id)),
      await bench.write((tx) => tx.accounts.save(id, { fullName: 'Ada' })),
    ]
    for (const one of found) {
      assert.ok(JSON.stringify(one).includes(email))
      assert.ok(!JSON.stringify(one).includes('the hash of a password'))
    }
  })

  it('finds an account by email address in any case, and returns the address as it was written', async () => {
    const { email, id } = await bench.account({ email: `Grace.${freshName()}@Example.COM` })
    for (const spelling of [email, email.toLowerCase(), email.toUpperCase()]) {
      const found = await bench.read.accounts.get({ email: spelling })
      assert.equal(found?.id, id)
      assert.equal(found?.email, email)
    }
  })

  it('returns undefined for unknown ids, usernames and email addresses', async () => {
    for (const id of [randomUUID(), 'no uuid', '']) assert.equal(await bench.read.accounts.get(id), undefined)
    assert.equal(await bench.read.accounts.get({ email: `${freshName()}@example.com` }), undefined)
    assert.equal(await bench.read.accounts.get({ username: freshName() }), undefined)
    for (const wildcard of ['%', '_'.repeat(20)]) {
      assert.equal(await bench.read.accounts.get({ email: wildcard }), undefined)
      assert.equal(await bench.read.accounts.get({ username: wildcard }), undefined)
    }
  })

  it('refuses a taken email address or username, and keeps the transaction usable', async () => {
    const taken = await bench.account()
    const other = newAccount()
    await bench.write(async (tx) => {
      assert.equal(await tx.accounts.insert(newAccount({ email: taken.email.toUpperCase() })), undefined)
      assert.equal(await tx.accounts.insert(newAccount({ username: taken.username })), undefined)
      assert.equal(await tx.accounts.insert(newAccount({ id: taken.id })), undefined)
      assert.ok(await tx.accounts.insert(other))
    })
    assert.deepEqual(await bench.read.accounts.get(taken.id), taken)
    assert.ok(await bench.read.accounts.get(other.id))
  })

  it('gives an email address and a username to the transaction that commits first', async () => {
    const account = newAccount()
    const rival = newAccount({ email: account.email.toUpperCase() })
    const namesake = newAccount({ username: account.username })
    const bystander = newAccount()
    const { first, others } = await bench.overlap(
      (tx) => tx.accounts.insert(account),
      [rival, namesake].map((late) => async (tx) => {
        const outcome = await tx.accounts.insert(late)
        if (late === rival) await tx.accounts.insert(bystander)
        return outcome
      }),
    )
    assert.equal(first?.id, account.id)
    assert.deepEqual(others, [undefined, undefined])
    assert.ok(await bench.read.accounts.get(bystander.id), 'the second transaction remains usable')
  })

  it('gives a username to the next transaction when the first is rolled back', async () => {
    const account = newAccount()
    const { others } = await bench.overlap(
      (tx) => tx.accounts.insert(account),
      [(tx) => tx.accounts.insert(newAccount({ username: account.username }))],
      'rollback',
    )
    assert.equal(others[0]?.username, account.username)
  })

  it('owns no address that is not verified, also after another transaction proved the former one', async () => {
    const { id } = await bench.account()
    const save = (changes: AccountChanges) => bench.write((tx) => tx.accounts.save(id, changes))
    assert.equal((await save({ emailOwned: true }))?.emailOwned, false)
    assert.equal((await save({ emailVerified: true, emailOwned: true }))?.emailOwned, true)
    assert.equal((await save({ emailVerified: false }))?.emailOwned, false)
    assert.equal((await save({ emailVerified: true }))?.emailOwned, false)
    await bench.overlap(
      (tx) => tx.accounts.save(id, { emailVerified: true, emailOwned: true }),
      [(tx) => tx.accounts.save(id, { emailVerified: false })],
    )
    assert.equal((await bench.read.accounts.get(id))?.emailOwned, false)
  })

  it('changes only the given fields', async () => {
    const account = await bench.account()
    const changes = {
      email: `new.${account.email}`,
      emailVerified: true,
      emailOwned: true,
      fullName: ODD_TEXT,
      tokenVersion: 3,
      tier: 'team',
      grantedTier: 'pro',
      hadTrial: true,
      isAdmin: true,
      bannedAt: new Date('2026-05-05T05:05:05.005Z'),
      deletionScheduledAt: new Date('2027-01-01T00:00:00.001Z'),
    } as const
    let expected = account
    for (const [name, value] of Object.entries(changes)) {
      expected = { ...expected, [name]: value }
      assert.deepEqual(await bench.write((tx) => tx.accounts.save(account.id, { [name]: value })), expected)
    }
    assert.deepEqual(await bench.read.accounts.get(account.id), expected)

    assert.deepEqual(await bench.write((tx) => tx.accounts.save(account.id, { passwordHash: 'another' })), expected)
    assert.equal(await bench.read.accounts.getPasswordHash(account.id), 'another')
    const cleared = { fullName: null, bannedAt: null, deletionScheduledAt: null, isAdmin: false }
    assert.deepEqual(await bench.write((tx) => tx.accounts.save(account.id, cleared)), { ...expected, ...cleared })
    assert.deepEqual(await bench.write((tx) => tx.accounts.save(account.id, {})), { ...expected, ...cleared })
  })

  it('returns undefined when it saves a deleted account', async () => {
    assert.equal(await bench.write((tx) => tx.accounts.save(randomUUID(), { fullName: 'Nobody' })), undefined)
    assert.equal(await bench.write((tx) => tx.accounts.save(randomUUID(), {})), undefined)
  })

  it('lets an account change the case of its email address', async () => {
    const { id, email } = await bench.account()
    const saved = await bench.write((tx) => tx.accounts.save(id, { email: email.toUpperCase() }))
    assert.equal(present(saved).email, email.toUpperCase())
  })
})
