import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NewInvitation } from '../../ports/storage/teams.ts'
import { freshName, newInvitation } from '../records.ts'
import { casesFor, ODD_TEXT } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

export const invitationCases = casesFor(['teams'], (it, bench) => {
  const put = (invitation: NewInvitation) => bench.write((tx) => tx.invitations.put(invitation))
  const team = async () => ({ profile: await bench.profile(), guest: await bench.account() })
  const forAccount = (accountId: string) => ({ accountId, email: null })
  const forEmail = (email: string) => ({ accountId: null, email })

  it('stores an invitation, and finds it by id and by digest', async () => {
    const { profile, guest } = await team()
    const wanted = newInvitation(profile.id, profile.ownerAccountId, forAccount(guest.id), { role: 'admin' })
    const invitation = await put(wanted)
    assert.deepEqual(invitation, { ...wanted, id: invitation.id })
    assert.deepEqual(await bench.read.invitations.get(invitation.id), invitation)
    assert.deepEqual(await bench.read.invitations.getByHash(wanted.hash), invitation)
    for (const hash of ['nothing', '\0']) assert.equal(await bench.read.invitations.getByHash(hash), undefined)
  })

  it('keeps only the newest invitation of an account or email address to a profile', async () => {
    const { profile, guest } = await team()
    const other = await bench.profile()
    const email = `${freshName()}@Example.com`
    const invite = (profileId: number, whom: Pick<NewInvitation, 'accountId' | 'email'>) =>
      put(newInvitation(profileId, profile.ownerAccountId, whom))
    const elsewhere = [await invite(other.id, forAccount(guest.id)), await invite(other.id, forEmail(email))] as const
    const old = [await invite(profile.id, forAccount(guest.id)), await invite(profile.id, forEmail(email))] as const
    const last = [
      await invite(profile.id, forAccount(guest.id)),
      await invite(profile.id, forEmail(email.toUpperCase())),
    ] as const
    for (const { id } of old) assert.equal(await bench.read.invitations.get(id), undefined)
    for (const each of [...last, ...elsewhere]) assert.deepEqual(await bench.read.invitations.get(each.id), each)
  })

  it('keeps one invitation when many invite the same person concurrently', async () => {
    const { profile, guest } = await team()
    const invite = () => newInvitation(profile.id, profile.ownerAccountId, forAccount(guest.id))
    await bench.overlap(
      async (tx) => {
        await tx.profiles.lock(profile.id)
        await tx.invitations.put(invite())
      },
      [1, 2, 3].map(() => async (tx) => {
        await tx.profiles.lock(profile.id)
        await tx.invitations.put(invite())
      }),
    )
    assert.equal((await bench.read.invitations.list(profile.id, { limit: 9 })).total, 1)
  })

  it('gives an invitation to exactly one of many, or to the next when that one fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { profile, guest } = await team()
      const { id } = await put(newInvitation(profile.id, profile.ownerAccountId, forAccount(guest.id)))
      const { others } = await bench.overlap(
        (tx) => tx.invitations.consume(id),
        [(tx) => tx.invitations.consume(id), (tx) => tx.invitations.consume(id)],
        end,
      )
      assert.deepEqual(
        others.flatMap((invitation) => invitation?.id ?? []),
        end === 'commit' ? [] : [id],
      )
    }
  })

  it('finds no expired invitation, and deletes those', async () => {
    const { profile, guest } = await team()
    const expiresAt = new Date(Date.now() + 60)
    const short = await put(newInvitation(profile.id, profile.ownerAccountId, forAccount(guest.id), { expiresAt }))
    const good = await put(newInvitation(profile.id, profile.ownerAccountId, forEmail(guest.email)))
    await sleep(120)
    assert.equal(await bench.read.invitations.get(short.id), undefined)
    assert.equal(await bench.read.invitations.getByHash(short.hash), undefined)
    assert.equal(await bench.write((tx) => tx.invitations.consume(short.id)), undefined)
    const { items, total } = await bench.read.invitations.list(profile.id, { limit: 9 })
    assert.deepEqual([items.map(({ id }) => id), total], [[good.id], 1])
    assert.equal(await bench.write((tx) => tx.expired.delete(0)), 0)
    assert.ok((await bench.write((tx) => tx.expired.delete(1_000))) >= 1)
    assert.equal(await bench.write((tx) => tx.expired.delete(1_000)), 0)
    assert.deepEqual(await bench.read.invitations.get(good.id), good)
  })

  it('lists the invitations of an account and its email address, with names', async () => {
    const { profile, guest } = await team()
    const [other, gone] = [await bench.profile(), await bench.profile()]
    const inviter = await bench.account()
    const invite = (profileId: number, whom: Pick<NewInvitation, 'accountId' | 'email'>) =>
      put(newInvitation(profileId, inviter.id, whom))
    const mine = [
      await invite(profile.id, forAccount(guest.id)),
      await invite(other.id, forEmail(guest.email.toUpperCase())),
    ] as const
    await invite(gone.id, forAccount(guest.id))
    await invite(other.id, forEmail(`not.${guest.email}`))
    await bench.write((tx) => tx.profiles.withdrawOfAccount(gone.ownerAccountId, new Date()))

    const { invitations } = bench.read
    const list = invitations.listFor.bind(invitations, { accountId: guest.id, email: guest.email })
    const names = { inviterUsername: inviter.username }
    const profileOf = ({ type, username }: typeof profile) => ({ profile: { type, username } })
    const all = [
      { ...mine[0], ...profileOf(profile), ...names, username: guest.username },
      { ...mine[1], ...profileOf(other), ...names, username: null },
    ]
    assert.deepEqual(await readAll(list, 1), all)
    assert.equal((await list({ limit: 1 })).total, 2)
    await checkCursors(list)
    const { items } = await invitations.listFor({ accountId: guest.id, email: null }, { limit: 9 })
    assert.deepEqual(items, [all[0]])
    for (const email of [ODD_TEXT, '\0']) {
      assert.deepEqual((await invitations.listFor({ accountId: 'no uuid', email }, { limit: 9 })).items, [])
    }
  })

  it('deletes the invitations of a person, or by an account, to one profile', async () => {
    const { profile, guest } = await team()
    const [other, inviter] = [await bench.profile(), await bench.account()]
    const invite = (profileId: number, by: string, whom: Pick<NewInvitation, 'accountId' | 'email'>) =>
      put(newInvitation(profileId, by, whom))
    const count = async () => (await bench.read.invitations.list(profile.id, { limit: 9 })).total
    await invite(profile.id, profile.ownerAccountId, forAccount(guest.id))
    await invite(profile.id, inviter.id, forEmail(guest.email.toUpperCase()))
    const kept = await invite(profile.id, profile.ownerAccountId, forEmail(`${freshName()}@example.com`))
    const elsewhere = await invite(other.id, inviter.id, forAccount(guest.id))
    await bench.write((tx) => tx.invitations.deleteFor(profile.id, { accountId: guest.id, email: null }))
    assert.equal(await count(), 2)
    await bench.write((tx) => tx.invitations.deleteFor(profile.id, { accountId: guest.id, email: guest.email }))
    assert.equal(await count(), 1)

    await invite(profile.id, inviter.id, forAccount(guest.id))
    await bench.write((tx) => tx.invitations.deleteBy(profile.id, inviter.id))
    await bench.write((tx) => tx.invitations.deleteBy(profile.id, 'no uuid'))
    const { items } = await bench.read.invitations.list(profile.id, { limit: 9 })
    assert.deepEqual(
      items.map(({ id }) => id),
      [kept.id],
    )
    assert.deepEqual(await bench.read.invitations.get(elsewhere.id), elsewhere)
  })
})
