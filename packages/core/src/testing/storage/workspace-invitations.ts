import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { NewWorkspaceInvitation } from '../../ports/storage/workspaces.ts'
import {
  freshName,
  newWorkspace,
  newWorkspaceActivity,
  newWorkspaceInvitation,
  newWorkspaceMember,
} from '../records.ts'
import { casesFor, ODD_JSON, ODD_TEXT, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

export const workspaceInvitationCases = casesFor(['workspaces'], (it, bench) => {
  const put = (invitation: NewWorkspaceInvitation) => bench.write((tx) => tx.workspaceInvitations.put(invitation))
  const forAccount = (accountId: string) => ({ accountId, email: null })
  const forEmail = (email: string) => ({ accountId: null, email })
  const place = async () => {
    const owner = await bench.account()
    const made = await bench.write((tx) => tx.workspaces.insert(newWorkspace(owner.id), 100))
    const workspace = present(made.outcome === 'inserted' ? made.workspace : undefined)
    return { owner, workspace, guest: await bench.account() }
  }

  it('stores an invitation to a workspace, and finds it by id and by digest', async () => {
    const { workspace, owner, guest } = await place()
    const wanted = newWorkspaceInvitation(workspace.id, owner.id, forAccount(guest.id), { role: 'admin' })
    const invitation = await put(wanted)
    assert.deepEqual(invitation, { ...wanted, id: invitation.id })
    assert.deepEqual(await bench.read.workspaceInvitations.get(invitation.id), invitation)
    assert.deepEqual(await bench.read.workspaceInvitations.getByHash(wanted.hash), invitation)
    for (const hash of ['nothing', '\0']) {
      assert.equal(await bench.read.workspaceInvitations.getByHash(hash), undefined)
    }
    const expired = newWorkspaceInvitation(workspace.id, owner.id, forEmail('late@example.com'), {
      expiresAt: new Date(Date.now() - 1_000),
    })
    const { id } = await put(expired)
    assert.equal(await bench.read.workspaceInvitations.get(id), undefined)
    assert.equal(await bench.write((tx) => tx.workspaceInvitations.consume(id)), undefined)
  })

  it('keeps only the newest invitation of an account or email address to a workspace', async () => {
    const [{ workspace, owner, guest }, elsewhere] = [await place(), await place()]
    const email = `${freshName()}@Example.com`
    const invite = (id: string, whom: ReturnType<typeof forAccount> | ReturnType<typeof forEmail>) =>
      put(newWorkspaceInvitation(id, owner.id, whom))
    const other = await invite(elsewhere.workspace.id, forEmail(email))
    await invite(workspace.id, forAccount(guest.id))
    await invite(workspace.id, forEmail(email))
    const kept = [
      await invite(workspace.id, forAccount(guest.id)),
      await invite(workspace.id, forEmail(email.toUpperCase())),
    ]
    const list = bench.read.workspaceInvitations.list.bind(bench.read.workspaceInvitations, workspace.id)
    const names = { workspaceName: workspace.name, inviterUsername: owner.username }
    assert.deepEqual(await readAll(list, 1), [
      { ...kept[0], ...names, username: guest.username },
      { ...kept[1], ...names, username: null },
    ])
    await checkCursors(list)
    assert.deepEqual(await bench.read.workspaceInvitations.get(other.id), other)
  })

  it('gives an invitation to a workspace to exactly one of many, or to the next when that one fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { workspace, owner, guest } = await place()
      const { id } = await put(newWorkspaceInvitation(workspace.id, owner.id, forAccount(guest.id)))
      const { others } = await bench.overlap(
        (tx) => tx.workspaceInvitations.consume(id),
        [(tx) => tx.workspaceInvitations.consume(id), (tx) => tx.workspaceInvitations.consume(id)],
        end,
      )
      assert.deepEqual(
        others.flatMap((invitation) => invitation?.id ?? []),
        end === 'commit' ? [] : [id],
      )
    }
  })

  it('lists the invitations to workspaces of an account and its email address', async () => {
    const [{ workspace, owner, guest }, other] = [await place(), await place()]
    const mine = [
      await put(newWorkspaceInvitation(workspace.id, owner.id, forAccount(guest.id))),
      await put(newWorkspaceInvitation(other.workspace.id, other.owner.id, forEmail(guest.email.toUpperCase()))),
    ]
    await put(newWorkspaceInvitation(workspace.id, owner.id, forEmail(`not.${guest.email}`)))
    const { workspaceInvitations } = bench.read
    const who = { accountId: guest.id, email: guest.email }
    const list = workspaceInvitations.listFor.bind(workspaceInvitations, who)
    assert.deepEqual(
      (await readAll(list, 1)).map(({ id }) => id),
      mine.map(({ id }) => id),
    )
    await checkCursors(list)
    const unproven = await workspaceInvitations.listFor({ ...who, email: null }, { limit: 9 })
    assert.deepEqual(
      unproven.items.map(({ id }) => id),
      [mine[0]?.id],
    )
    for (const email of [ODD_TEXT, '\0']) {
      assert.deepEqual((await workspaceInvitations.listFor({ accountId: 'no uuid', email }, { limit: 9 })).items, [])
    }
  })

  it('deletes the invitations of a person, by an account, and of workspaces that an account owns', async () => {
    const { workspace, owner, guest } = await place()
    const count = async () => (await bench.read.workspaceInvitations.list(workspace.id, { limit: 9 })).total
    const invite = async () => {
      await put(newWorkspaceInvitation(workspace.id, owner.id, forAccount(guest.id)))
      await put(newWorkspaceInvitation(workspace.id, owner.id, forEmail(guest.email.toUpperCase())))
    }
    await invite()
    await bench.write((tx) =>
      tx.workspaceInvitations.deleteFor(workspace.id, { accountId: guest.id, email: guest.email }),
    )
    assert.equal(await count(), 0)
    await invite()
    for (const unknown of [guest.id, 'no uuid', randomUUID()]) {
      await bench.write((tx) => tx.workspaceInvitations.deleteBy(workspace.id, unknown))
    }
    assert.equal(await count(), 2)
    await bench.write((tx) => tx.workspaceInvitations.deleteBy(workspace.id, owner.id))
    assert.equal(await count(), 0)

    await invite()
    const admin = newWorkspaceMember(workspace.id, (await bench.account()).id, { role: 'admin' })
    await bench.write((tx) => tx.workspaceMembers.insert(admin))
    const sent = newWorkspaceInvitation(workspace.id, admin.accountId, forEmail(`${freshName()}@example.com`))
    await put(sent)
    assert.equal(await bench.write((tx) => tx.workspaceInvitations.deleteOfAccount('no uuid')), 0)
    assert.equal(await bench.write((tx) => tx.workspaceInvitations.deleteOfAccount(admin.accountId)), 1)
    assert.equal(await bench.write((tx) => tx.workspaceInvitations.deleteOfAccount(guest.id)), 1)
    assert.equal(await bench.write((tx) => tx.workspaceInvitations.deleteOfAccount(owner.id)), 1)
  })
})

export const workspaceActivityCases = casesFor(['workspaces'], (it, bench) => {
  it('lists the newest activity of a workspace with names, and deletes what is older', async () => {
    const [owner, member] = [await bench.account(), await bench.account()]
    const made = [newWorkspace(owner.id), newWorkspace(owner.id)] as const
    for (const each of made) await bench.write((tx) => tx.workspaces.insert(each, 9))
    const [{ id }, other] = made
    const add = (workspaceId: string, data: object, kept: number) =>
      bench.write((tx) =>
        tx.workspaceActivity.add(
          newWorkspaceActivity(workspaceId, owner.id, { data: data as typeof ODD_JSON, subjectAccountId: member.id }),
          kept,
        ),
      )
    await add(other.id, {}, 2)
    for (const data of [{ n: 1 }, { n: 2 }, { n: 3 }, ODD_JSON]) await add(id, data, 3)
    const list = bench.read.workspaceActivity.list.bind(bench.read.workspaceActivity, id)
    const found = await readAll(list, 2)
    assert.deepEqual(
      found.map(({ data }) => data),
      [ODD_JSON, { n: 3 }, { n: 2 }],
    )
    const { username, subjectUsername } = present(found[0])
    assert.deepEqual([username, subjectUsername], [owner.username, member.username])
    await checkCursors(list)
    assert.equal((await bench.read.workspaceActivity.list(other.id, { limit: 9 })).total, 1)
    assert.deepEqual((await bench.read.workspaceActivity.list('no uuid', { limit: 9 })).items, [])
  })
})
