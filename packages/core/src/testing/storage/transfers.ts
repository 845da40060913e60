import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ERASED_DID } from '../../kernel/erased-ids.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { NewTransfer, Transfer } from '../../ports/storage/teams.ts'
import { eraseAccount } from '../erase-account.ts'
import { newEvent, newMember, newReceipt, newTransfer } from '../records.ts'
import { casesFor, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

export const transferCases = casesFor(['teams'], (it, bench) => {
  const at = new Date('2026-05-06T07:08:09.010Z')
  const insert = (transfer: NewTransfer) => bench.write((tx) => tx.transfers.insert(transfer))
  const offer = async (changes?: Partial<NewTransfer>): Promise<Transfer> => {
    const [profile, to] = [await bench.profile(), await bench.account()]
    return present(await insert(newTransfer(profile, to.id, changes)))
  }

  it('stores a transfer as pending until it is ended', async () => {
    const [profile, to] = [await bench.profile(), await bench.account()]
    const wanted = newTransfer(profile, to.id)
    const transfer = present(await insert(wanted))
    assert.deepEqual(transfer, { ...wanted, id: transfer.id, state: 'pending', resolvedAt: null })
    assert.deepEqual(await bench.read.transfers.get(transfer.id), transfer)
    for (const state of ['accepted', 'rejected', 'cancelled'] as const) {
      const { id } = await offer()
      const ended = present(await bench.write((tx) => tx.transfers.resolve(id, { state, at })))
      assert.deepEqual([ended.state, ended.resolvedAt], [state, at])
      assert.deepEqual(await bench.read.transfers.get(id), ended)
    }
    assert.deepEqual(await bench.read.transfers.get(transfer.id), transfer)
  })

  it('allows one pending transfer per profile, and another once it has ended', async () => {
    const [profile, to] = [await bench.profile(), await bench.account()]
    const { id } = present(await insert(newTransfer(profile, to.id)))
    assert.equal(await insert(newTransfer(profile, to.id)), undefined)
    assert.ok(await offer(), 'a transfer of another profile')
    await bench.write((tx) => tx.transfers.resolve(id, { state: 'rejected', at }))
    assert.ok(await insert(newTransfer(profile, to.id)))
  })

  it('stores the pending transfer of the transaction that commits first', async () => {
    const [profile, to] = [await bench.profile(), await bench.account()]
    const another = () => newTransfer(profile, to.id)
    const taken = await bench.overlap(
      (tx) => tx.transfers.insert(another()),
      [(tx) => tx.transfers.insert(another()), (tx) => tx.transfers.insert(another())],
    )
    assert.ok(taken.first)
    assert.deepEqual(taken.others, [undefined, undefined])

    await bench.write((tx) => tx.transfers.resolve(taken.first?.id ?? 0, { state: 'cancelled', at }))
    const failed = await bench.overlap(
      (tx) => tx.transfers.insert(another()),
      [(tx) => tx.transfers.insert(another()), (tx) => tx.transfers.insert(another())],
      'rollback',
    )
    assert.equal(failed.others.filter((transfer) => transfer !== undefined).length, 1)
  })

  it('lets exactly one of many end a transfer, or the next when that one fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { id } = await offer()
      const { others } = await bench.overlap(
        (tx) => tx.transfers.resolve(id, { state: 'accepted', at }),
        [
          (tx) => tx.transfers.resolve(id, { state: 'cancelled', at }),
          (tx) => tx.transfers.resolve(id, { state: 'cancelled', at }),
        ],
        end,
      )
      assert.deepEqual(
        others.flatMap((transfer) => transfer?.state ?? []),
        end === 'commit' ? [] : ['cancelled'],
      )
      assert.equal((await bench.read.transfers.get(id))?.state, end === 'commit' ? 'accepted' : 'cancelled')
    }
  })

  it('allows another transfer once the pending one has expired', async () => {
    const [profile, to] = [await bench.profile(), await bench.account()]
    const expiresAt = new Date(Date.now() + 60)
    const { id } = present(await insert(newTransfer(profile, to.id, { expiresAt })))
    await sleep(120)
    assert.equal((await bench.read.transfers.get(id))?.state, 'expired')
    assert.equal(await bench.write((tx) => tx.transfers.resolve(id, { state: 'accepted', at })), undefined)
    assert.equal((await bench.read.transfers.listOfAccount(to.id, { limit: 1 })).items[0]?.state, 'expired')
    const next = present(await insert(newTransfer(profile, to.id)))
    assert.equal(next.state, 'pending')
    const before = present(await bench.read.transfers.get(id))
    assert.deepEqual([before.state, before.resolvedAt], ['expired', null])
  })

  it('lists incoming and outgoing transfers of an account, newest first, with names', async () => {
    const { id, username } = await bench.account()
    const [mine, other] = [await bench.profile({ ownerAccountId: id }), await bench.account()]
    const outgoing = present(await insert(newTransfer(mine, other.id)))
    const given = await bench.profile()
    const incoming = present(await insert(newTransfer(given, id)))
    await offer()
    const owner = present(await bench.read.accounts.get(given.ownerAccountId))
    const list = bench.read.transfers.listOfAccount.bind(bench.read.transfers, id)
    assert.deepEqual(await readAll(list, 1), [
      {
        ...incoming,
        profile: { type: given.type, username: given.username },
        fromUsername: owner.username,
        toUsername: username,
      },
      {
        ...outgoing,
        profile: { type: mine.type, username: mine.username },
        fromUsername: username,
        toUsername: other.username,
      },
    ])
    assert.equal((await list({ limit: 1 })).total, 2)
    await checkCursors(list)
    assert.deepEqual((await bench.read.transfers.listOfAccount('no uuid', { limit: 9 })).items, [])
  })

  it('names a profile to those who may see it, and to the sides of a pending transfer', async () => {
    const reader = await bench.account()
    const profile = await bench.profile()
    const { id: transferId } = present(await insert(newTransfer(profile, reader.id)))
    const named = async (accountId = reader.id) =>
      present((await bench.read.transfers.listOfAccount(accountId, { limit: 1 })).items[0]).profile
    const show = (visibility: Profile['visibility']) =>
      bench.write((tx) => tx.profiles.save(profile.id, { visibility, updatedAt: at }))
    const name = { type: profile.type, username: profile.username }

    await show('private')
    assert.deepEqual(await named(), name, 'pending')
    await bench.write((tx) => tx.transfers.resolve(transferId, { state: 'rejected', at }))
    assert.equal(await named(), null)
    assert.deepEqual(await named(profile.ownerAccountId), name, 'its owner')
    await show('unlisted')
    assert.deepEqual(await named(), name, 'unlisted')
    await show('private')
    await bench.write((tx) => tx.members.put(newMember(profile.id, reader.id)))
    assert.deepEqual(await named(), name, 'a member')
    await bench.write((tx) => tx.profiles.withdrawOfAccount(profile.ownerAccountId, at))
    assert.equal(await named(), null, 'withdrawn')
  })

  it('keeps the receipts of the new owner of a transferred profile when the previous owner is purged', async () => {
    const [before, after] = [await bench.account(), await bench.account()]
    const gone = await bench.profile({ ownerAccountId: before.id })
    const kept = await bench.profile({ ownerAccountId: before.id })
    const sold = (by: string, { id }: typeof gone) =>
      newReceipt({ seller: { profileId: id, did: `did:web:profiles.example:u:${id}`, accountId: by } })
    const old = [sold(before.id, gone), sold(before.id, kept)] as const
    const own = [sold(after.id, gone), sold(after.id, kept)] as const
    await bench.write(async (tx) => {
      for (const { id } of [gone, kept]) {
        await tx.profiles.save(id, { ownerAccountId: after.id, updatedAt: at })
        await tx.events.append([
          newEvent({ type: 'profiles.profile_created', profileId: id, accountId: before.id, data: {} }),
          newEvent({
            type: 'teams.profile_transferred',
            profileId: id,
            accountId: after.id,
            data: { accountId: after.id },
          }),
        ])
      }
      for (const receipt of [...old, ...own]) await tx.receipts.insert(receipt)
      await tx.profiles.delete(gone.id)
      await eraseAccount(tx, before.id)
    })
    for (const receipt of own) assert.deepEqual(await bench.read.receipts.get(receipt.receiptId), receipt)
    for (const { receiptId } of old) {
      const { seller } = present(await bench.read.receipts.get(receiptId))
      assert.deepEqual([seller.accountId, seller.did], [null, ERASED_DID])
    }
    assert.equal((await bench.read.profiles.get(kept.id))?.ownerAccountId, after.id)
  })

  it('deletes a transfer with its profile', async () => {
    const { id, profileId } = await offer()
    await bench.write((tx) => tx.profiles.delete(profileId))
    assert.equal(await bench.read.transfers.get(id), undefined)
  })
})
