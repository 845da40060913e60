import assert from 'node:assert/strict'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { NewInvitation } from '../../ports/storage/teams.ts'
import { newInvitation, newMember, newTransfer } from '../records.ts'
import { casesFor, present } from './bench.ts'
import { at, filter, made, nameOf, scopeOf } from './notifications.ts'

/** A notification of an account about a profile of another team. */
const accountAbout = (about: Profile) => ({ profileId: null, permission: null, aboutProfileId: about.id })

export const namedNotificationCases = casesFor(['notifications', 'teams'], (it, bench) => {
  it('names a private profile to its team, to invited accounts and to the recipient of an offer', async () => {
    const [reader, other] = [await bench.profile(), await bench.profile()]
    const about = await bench.profile({ visibility: 'private' })
    const { ownerAccountId: accountId } = reader
    const { email } = present(await bench.read.accounts.get(accountId))
    const account = accountAbout(about)
    await bench.write((tx) =>
      tx.notifications.add([made(reader, account), made(other, account), made(about, { aboutProfileId: about.id })]),
    )
    const aboutOf = async (profile: Profile) =>
      present((await bench.read.notifications.list(scopeOf(profile, true), filter, { limit: 1 })).items[0]).about
    const name = nameOf(about)
    const invited = async (invitee: Pick<NewInvitation, 'accountId' | 'email'>) => {
      const invitation = newInvitation(about.id, about.ownerAccountId, invitee)
      const { id } = await bench.write((tx) => tx.invitations.put(invitation))
      const named = await aboutOf(reader)
      await bench.write((tx) => tx.invitations.consume(id))
      return named
    }

    assert.equal(await aboutOf(reader), null)
    assert.deepEqual(await aboutOf(about), name, 'its owner')
    assert.deepEqual(await invited({ accountId, email: null }), name, 'invited')
    assert.equal(await invited({ accountId: null, email }), null, 'invited by an address that is not verified')
    await bench.write((tx) => tx.accounts.save(accountId, { emailVerified: true, emailOwned: true }))
    assert.deepEqual(await invited({ accountId: null, email: email.toUpperCase() }), name, 'invited by address')
    const offer = present(await bench.write((tx) => tx.transfers.insert(newTransfer(about, accountId))))
    assert.deepEqual(await aboutOf(reader), name, 'offered')
    await bench.write((tx) => tx.transfers.resolve(offer.id, { state: 'rejected', at }))
    assert.equal(await aboutOf(reader), null)
    await bench.write((tx) => tx.members.put(newMember(about.id, accountId)))
    assert.deepEqual(await aboutOf(reader), name, 'a member')
    await bench.write((tx) => tx.members.delete(about.id, accountId))
    assert.deepEqual([await aboutOf(reader), await aboutOf(other)], [null, null])
    await bench.write((tx) => tx.profiles.save(about.id, { visibility: 'unlisted', updatedAt: at }))
    assert.deepEqual([await aboutOf(reader), await aboutOf(other)], [name, name], 'unlisted')
  })

  it('names a private profile in no email or digest to others', async () => {
    const [reader, about] = [await bench.profile(), await bench.profile({ visibility: 'private' })]
    // Due earlier than those of other cases.
    const due = new Date(0)
    const mailed = made(reader, { ...accountAbout(about), emailAt: due, digestAt: due })
    await bench.write((tx) => tx.notifications.add([mailed]))
    const taken = present(await bench.write((tx) => tx.notifications.takeEmail(due, { retryMs: 10 })))
    assert.deepEqual([taken.notification.id, taken.notification.about], [mailed.id, null])
    await bench.write((tx) => tx.notifications.endEmail(mailed.id, taken.retryAt))
    const digest = present(await bench.write((tx) => tx.notifications.takeDigest(due, { retryMs: 10, limit: 9 })))
    assert.deepEqual(
      digest.items.map(({ id, about }) => [id, about]),
      [[mailed.id, null]],
    )
    await bench.write((tx) => tx.notifications.endDigest(digest, [], at))
  })
})
