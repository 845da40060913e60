import assert from 'node:assert/strict'
import { PROFILE_TYPES } from '../../model/profile-type.ts'
import type { NewProfile } from '../../ports/storage/profiles.ts'
import { freshName, newGrant, newPayment, newProfile, newReceipt, newSettlement } from '../records.ts'
import { casesFor, MINUTE, ODD_JSON, ODD_TEXT } from './bench.ts'
import { gateConfig } from './gate-config.ts'
import { checkCursors, readAll } from './lists.ts'

const ODD_LIST = ['', ODD_TEXT, 'a,b', '{}', 'NULL', '"', '\\']

export const profileCases = casesFor([], (it, bench) => {
  it('stores a profile as it was inserted', async () => {
    const profile: NewProfile = newProfile((await bench.account()).id, {
      bio: ODD_TEXT,
      skills: ODD_LIST,
      keywords: ODD_LIST,
      capabilities: ODD_LIST,
      socials: { 'odd "key"': ODD_TEXT },
      customFields: ODD_JSON,
      typeData: ODD_JSON,
    })
    const inserted = await bench.write((tx) => tx.profiles.insert(profile))
    assert.ok(inserted && Number.isSafeInteger(inserted.id))
    assert.deepEqual(inserted, { ...profile, id: inserted.id, updatedAt: profile.createdAt, withdrawnAt: null })
    assert.deepEqual(await bench.read.profiles.get(inserted.id), inserted)
    assert.deepEqual(await bench.read.profiles.get({ type: 'person', username: profile.username }), inserted)
  })

  it('stores profiles of every type and visibility, also with empty fields', async () => {
    const { id: ownerAccountId } = await bench.account()
    const nothing = {
      fullName: null,
      bio: null,
      avatarUrl: null,
      coverUrl: null,
      accent: null,
      email: null,
      agentInstructions: null,
      agentRules: null,
    }
    const empty = { skills: [], socials: {}, keywords: [], capabilities: [], customFields: {}, typeData: {} }
    for (const [index, type] of PROFILE_TYPES.entries()) {
      const visibility = (['public', 'unlisted', 'private'] as const)[index % 3] ?? 'public'
      const made = await bench.profile({ ownerAccountId, type, visibility, ...nothing, ...empty })
      const { id, updatedAt: _, withdrawnAt: __, ...kept } = (await bench.read.profiles.get(made.id)) ?? made
      assert.deepEqual(
        kept,
        newProfile(ownerAccountId, { ...nothing, ...empty, type, visibility, username: made.username }),
      )
    }
  })

  it('stores which connected apps reach a profile', async () => {
    const made = await bench.profile({ apps: 'owner_only' })
    const { id, updatedAt } = made
    assert.equal((await bench.read.profiles.get(id))?.apps, 'owner_only')
    const renamed = await bench.write((tx) => tx.profiles.save(id, { bio: 'new', updatedAt }))
    assert.deepEqual(renamed, { ...made, bio: 'new' })
    const opened = await bench.write((tx) => tx.profiles.save(id, { apps: 'allowed', updatedAt }))
    assert.deepEqual(opened, { ...renamed, apps: 'allowed' })
  })

  it('stores the visibility that a profile waits for, until it is saved', async () => {
    const waiting = await bench.profile({ visibility: 'private', visibilityOnceVerified: 'unlisted' })
    const { id, updatedAt } = waiting
    assert.equal((await bench.read.profiles.get(id))?.visibilityOnceVerified, 'unlisted')
    const renamed = await bench.write((tx) => tx.profiles.save(id, { bio: 'new', updatedAt }))
    assert.deepEqual(renamed, { ...waiting, bio: 'new' })
    const shown = { visibility: 'unlisted', visibilityOnceVerified: null } as const
    assert.deepEqual(await bench.write((tx) => tx.profiles.save(id, { ...shown, updatedAt })), { ...renamed, ...shown })
  })

  it('allows a username once per type', async () => {
    const person = await bench.profile()
    const { ownerAccountId, username } = person
    const agent = await bench.write(async (tx) => {
      assert.equal(await tx.profiles.insert(newProfile(ownerAccountId, { username })), undefined)
      return tx.profiles.insert(newProfile(ownerAccountId, { username, type: 'agent' }))
    })
    assert.equal((await bench.read.profiles.get({ type: 'agent', username }))?.id, agent?.id)
    assert.deepEqual(await bench.read.profiles.get(person.id), person)
    assert.deepEqual([...(await bench.read.profiles.listTypesOf(username, new Date()))].sort(), ['agent', 'person'])
    assert.deepEqual(await bench.read.profiles.listTypesOf(freshName(), new Date()), [])
    assert.equal(await bench.read.profiles.get({ type: 'place', username }), undefined)
  })

  it('gives a username to the transaction that commits first', async () => {
    const { id } = await bench.account()
    const username = freshName()
    const { first, others } = await bench.overlap(
      (tx) => tx.profiles.insert(newProfile(id, { username })),
      [
        (tx) => tx.profiles.insert(newProfile(id, { username })),
        (tx) => tx.profiles.insert(newProfile(id, { username, type: 'product' })),
      ],
    )
    assert.ok(first)
    assert.equal(others[0], undefined)
    assert.equal(others[1]?.type, 'product')
  })

  it('changes only the given fields', async () => {
    const made = await bench.profile()
    const other = await bench.account()
    const updatedAt = new Date('2026-06-06T06:06:06.006Z')
    const changes = {
      ownerAccountId: other.id,
      fullName: ODD_TEXT,
      bio: null,
      avatarUrl: null,
      coverUrl: null,
      accent: '#ffee88',
      email: null,
      skills: ODD_LIST,
      socials: {},
      keywords: [],
      agentInstructions: null,
      agentRules: ODD_TEXT,
      capabilities: ['x'],
      customFields: ODD_JSON,
      typeData: ODD_JSON,
      visibility: 'private',
    } as const
    let expected = { ...made, updatedAt }
    for (const [name, value] of Object.entries(changes)) {
      expected = { ...expected, [name]: value }
      assert.deepEqual(await bench.write((tx) => tx.profiles.save(made.id, { [name]: value, updatedAt })), expected)
    }
    assert.deepEqual(await bench.read.profiles.get(made.id), expected)
    assert.equal(await bench.write((tx) => tx.profiles.save(Number.MAX_SAFE_INTEGER, { updatedAt })), undefined)
  })

  it('lists the profiles of an account, oldest first, each once, also while some are added', async () => {
    const { id: ownerAccountId } = await bench.account()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const made = []
    for (const createdAt of [at(2), at(1), at(1), at(3), at(1)]) {
      made.push(await bench.profile({ ownerAccountId, createdAt }))
    }
    const expected = made.sort((left, right) => +left.createdAt - +right.createdAt || left.id - right.id)
    const list = bench.read.profiles.listOfAccount.bind(bench.read.profiles, ownerAccountId)
    assert.deepEqual((await list({ limit: 100 })).items, expected)
    assert.equal((await list({ limit: 2 })).total, 5)
    assert.equal((await list({ limit: 5 })).nextCursor, undefined)

    const ids = expected.map(({ id }) => id)
    const read = await readAll(list, 2, () => bench.profile({ ownerAccountId, createdAt: at(0) }))
    assert.deepEqual(
      read.map(({ id }) => id),
      ids,
    )
    const { id: accountId } = await bench.account()
    assert.deepEqual(await bench.read.profiles.listOfAccount(accountId, { limit: 2 }), {
      items: [],
      total: 0,
      nextCursor: undefined,
    })
    await checkCursors(list)
  })

  it('locks a profile until the transaction ends', async () => {
    const { id, updatedAt } = await bench.profile()
    const { others } = await bench.overlap(
      async (tx) => {
        assert.equal((await tx.profiles.lock(id))?.id, id)
        await tx.profiles.save(id, { bio: 'first', updatedAt })
      },
      [async (tx) => (await tx.profiles.lock(id))?.bio],
    )
    assert.deepEqual(others, ['first'], 'the second lock waits and reads the committed change')

    const { first } = await bench.overlap(
      async (tx, meanwhile) => {
        await tx.profiles.lock(id)
        await meanwhile()
        return (await tx.profiles.get(id))?.bio
      },
      [(tx) => tx.profiles.save(id, { bio: 'second', updatedAt })],
    )
    assert.equal(first, 'first', 'a locked profile cannot be changed by others')
    assert.equal((await bench.read.profiles.get(id))?.bio, 'second')
    assert.equal(await bench.write((tx) => tx.profiles.lock(Number.MAX_SAFE_INTEGER)), undefined)
  })
})

export const deletedProfileCases = casesFor(['pageVersions'], (it, bench) => {
  it('deletes everything that belongs to a profile, and keeps payments and receipts', async () => {
    const profile = await bench.profile()
    const kept = await bench.profile({ ownerAccountId: profile.ownerAccountId })
    const [category, keptPage] = [await bench.category(profile), await bench.page(kept)]
    const page = await bench.page(profile, { categoryId: category.id })
    const entitlement = newGrant(profile.id)
    const receipt = newReceipt({ seller: { profileId: profile.id, did: 'did:web:gone.example', accountId: null } })
    const payment = newPayment()
    await bench.write(async (tx) => {
      await tx.gates.put({
        profileId: profile.id,
        config: gateConfig(),
        changedBy: profile.ownerAccountId,
        updatedAt: new Date(),
      })
      await tx.entitlements.grant(entitlement)
      await tx.payments.claim({ ...payment, purchase: { ...payment.purchase, profileId: profile.id } }, MINUTE)
      await tx.payments.settle(payment.id, { receiptId: receipt.receiptId, settlement: newSettlement() })
      await tx.receipts.insert(receipt)
    })

    assert.equal(await bench.write((tx) => tx.profiles.delete(profile.id)), true)
    assert.equal(await bench.write((tx) => tx.profiles.delete(profile.id)), false)

    const { read } = bench
    assert.equal(await read.profiles.get(profile.id), undefined)
    assert.equal(await read.categories.get(category.id), undefined)
    assert.equal(await read.pages.get(page.id), undefined)
    assert.equal((await read.pageVersions.list(page.id, { limit: 1 })).total, 0)
    assert.equal(await read.gates.get(profile.id), undefined)
    assert.deepEqual(await read.entitlements.listActive(entitlement), [])
    assert.equal((await read.payments.get(payment.id))?.state, 'settled')
    assert.deepEqual(await read.receipts.get(receipt.receiptId), receipt)
    assert.deepEqual(await read.pages.get(keptPage.id), keptPage)
    assert.ok(await read.accounts.get(profile.ownerAccountId))

    const { username, ownerAccountId } = profile
    assert.ok(await bench.profile({ username, ownerAccountId }), 'the username is free again')
  })
})
