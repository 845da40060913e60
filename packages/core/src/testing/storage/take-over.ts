import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { accountHolder, emailHolder } from '../../kernel/wallet.ts'
import { newGrant, newIdentity, newInvitation, newMember, newTransfer } from '../records.ts'
import { casesFor, present } from './bench.ts'

/** The accesses that end when an account is handed over to the owner of its email address. */
export const takeOverCases = casesFor(['identities', 'teams'], (it, bench) => {
  it('unlinks every sign-in provider of an account', async () => {
    const [{ id }, { id: other }] = [await bench.account(), await bench.account()]
    const kept = newIdentity(other)
    for (const identity of [newIdentity(id), newIdentity(id, { provider: 'google' }), kept]) {
      await bench.write((tx) => tx.identities.insert(identity))
    }
    assert.equal(await bench.write((tx) => tx.identities.deleteOfAccount(id)), 2)
    assert.equal(await bench.write((tx) => tx.identities.deleteOfAccount('no uuid')), 0)
    assert.deepEqual(await bench.read.identities.listOfAccount(id), [])
    assert.deepEqual(await bench.read.identities.listOfAccount(other), [kept])
  })

  it('deletes only the memberships of an account and the members of its profiles', async () => {
    const [own, withdrawn, elsewhere] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const id = own.ownerAccountId
    await bench.write((tx) => tx.profiles.save(withdrawn.id, { ownerAccountId: id, updatedAt: withdrawn.updatedAt }))
    const { id: friend } = await bench.account()
    const ended = [
      { profileId: own.id, accountId: friend },
      { profileId: withdrawn.id, accountId: friend },
      { profileId: elsewhere.id, accountId: id },
    ]
    await bench.write(async (tx) => {
      await tx.profiles.withdrawOfAccount(id, new Date())
      for (const { profileId, accountId } of ended) await tx.members.put(newMember(profileId, accountId))
      await tx.members.put(newMember(elsewhere.id, friend))
    })
    const order = (list: typeof ended) => list.map((one) => `${one.profileId} ${one.accountId}`).toSorted()
    const removed = await bench.write((tx) => tx.members.deleteOfAccount(id))
    assert.deepEqual(order([...removed]), order(ended))
    for (const { profileId, accountId } of ended) {
      assert.equal(await bench.read.members.getRole(profileId, accountId), undefined)
    }
    assert.equal(await bench.read.members.getRole(elsewhere.id, friend), 'editor')
    assert.deepEqual(await bench.write((tx) => tx.members.deleteOfAccount('no uuid')), [])
  })

  it('deletes a member that another transaction adds with the profile locked', async () => {
    const [own, { id: friend }] = [await bench.profile(), await bench.account()]
    const { others } = await bench.overlap(
      async (tx) => {
        await tx.profiles.lock(own.id)
        await tx.members.put(newMember(own.id, friend))
      },
      [(tx) => tx.members.deleteOfAccount(own.ownerAccountId)],
    )
    assert.deepEqual(others, [[{ profileId: own.id, accountId: friend }]])
  })

  it('deletes the invitations that an account sent and received, and those of its profiles', async () => {
    const [own, elsewhere] = [await bench.profile(), await bench.profile()]
    const id = own.ownerAccountId
    const account = present(await bench.read.accounts.get(id))
    const guest = (await bench.account()).id
    const put = (...invitation: Parameters<typeof newInvitation>) =>
      bench.write((tx) => tx.invitations.put(newInvitation(...invitation)))
    const ended = [
      await put(own.id, guest, { accountId: null, email: 'friend@example.com' }),
      await put(elsewhere.id, id, { accountId: guest, email: null }),
      await put(elsewhere.id, elsewhere.ownerAccountId, { accountId: id, email: null }),
    ]
    const kept = await put(elsewhere.id, elsewhere.ownerAccountId, { accountId: null, email: account.email })
    assert.equal(await bench.write((tx) => tx.invitations.deleteOfAccount(id)), 3)
    assert.equal(await bench.write((tx) => tx.invitations.deleteOfAccount('no uuid')), 0)
    for (const one of ended) assert.equal(await bench.read.invitations.get(one.id), undefined)
    assert.deepEqual(await bench.read.invitations.get(kept.id), kept)
  })

  it('cancels the pending transfers from an account and rejects those to it', async () => {
    const [own, elsewhere, foreign] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const id = own.ownerAccountId
    const { id: other } = await bench.account()
    const at = new Date('2026-05-06T07:08:09.010Z')
    const offer = async (...transfer: Parameters<typeof newTransfer>) =>
      present(await bench.write((tx) => tx.transfers.insert(newTransfer(...transfer))))
    const [from, to, kept] = [await offer(own, other), await offer(elsewhere, id), await offer(foreign, other)]
    const ended = await bench.write((tx) => tx.transfers.endOfAccount(id, at))
    assert.deepEqual(
      ended.toSorted((left, right) => left.id - right.id),
      [
        { ...from, state: 'cancelled', resolvedAt: at },
        { ...to, state: 'rejected', resolvedAt: at },
      ],
    )
    assert.deepEqual(await bench.write((tx) => tx.transfers.endOfAccount(id, at)), [])
    assert.deepEqual(await bench.write((tx) => tx.transfers.endOfAccount('no uuid', at)), [])
    assert.deepEqual(await bench.read.transfers.get(kept.id), kept)
  })
})

export const takeOverGrantCases = casesFor(['identities', 'teams', 'sales'], (it, bench) => {
  it('finds manual grants at the profiles of an account, also beside purchases', async () => {
    const [own, foreign] = [await bench.profile(), await bench.profile()]
    const id = own.ownerAccountId
    const grant = (changes: Parameters<typeof newGrant>[1], profileId = own.id) =>
      bench.write((tx) => tx.entitlements.grant(newGrant(profileId, changes)))
    const given = await grant({ receiptId: null })
    const both = await grant({ receiptId: null, validUntil: new Date(Date.now() + 60_000) })
    const { payerWalletAddress } = both
    const paid = await grant({ payerWalletAddress })
    assert.notEqual(paid.id, both.id)
    await grant({})
    await grant({ receiptId: null }, foreign.id)
    const revoked = await grant({ receiptId: null })
    await bench.write((tx) => tx.grants.end(revoked.id, new Date()))
    assert.deepEqual((await bench.read.grants.listGivenByAccount(id)).toSorted(), [given.id, both.id].toSorted())
    for (const unknownId of ['no uuid', randomUUID()]) {
      assert.deepEqual(await bench.read.grants.listGivenByAccount(unknownId), [])
    }
  })

  it('finds manual grants to an account at any profile, without purchases', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const { id } = await bench.account()
    const grant = (profileId: number, changes: Parameters<typeof newGrant>[1]) =>
      bench.write((tx) => tx.entitlements.grant(newGrant(profileId, { ...accountHolder(id), ...changes })))
    const given = await grant(one.id, { receiptId: null })
    const paid = await grant(other.id, {})
    const both = await grant(other.id, { receiptId: null, resourcePattern: 'profile' })
    await grant(other.id, { resourcePattern: 'profile' })
    const revoked = await grant(one.id, { receiptId: null, resourcePattern: 'files.*' })
    await bench.write((tx) => tx.grants.end(revoked.id, new Date()))
    await grant(one.id, { ...emailHolder('someone@example.com'), receiptId: null })
    const found = await bench.read.grants.listGivenTo(accountHolder(id))
    assert.deepEqual(found.toSorted(), [given.id, both.id].toSorted())
    assert.ok(!found.includes(paid.id))
    for (const absent of [
      accountHolder(randomUUID()),
      accountHolder('\0'),
      { ...accountHolder(id), payerNetwork: 'x' },
    ]) {
      assert.deepEqual(await bench.read.grants.listGivenTo(absent), [])
    }
  })
})
