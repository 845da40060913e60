import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Workspace, WorkspaceMember } from '../../ports/storage/workspaces.ts'
import { eraseAccount } from '../erase-account.ts'
import {
  newDocument,
  newWorkspace,
  newWorkspaceActivity,
  newWorkspaceInvitation,
  newWorkspaceMember,
} from '../records.ts'
import { type Bench, casesFor, ODD_TEXT, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

/** Creates workspaces with members. */
const workspacesOf = (bench: Bench<'workspaces'>) => {
  const create = async (changes: Parameters<typeof newWorkspace>[1] = {}): Promise<Workspace> => {
    const creator = changes.createdBy ?? (await bench.account()).id
    const made = await bench.write((tx) => tx.workspaces.insert(newWorkspace(creator, changes), 100))
    return present(made.outcome === 'inserted' ? made.workspace : undefined)
  }
  const join = async (workspace: Workspace, role: WorkspaceMember['role'], id?: string): Promise<string> => {
    const accountId = id ?? (await bench.account()).id
    const member = newWorkspaceMember(workspace.id, accountId, { role })
    assert.equal(await bench.write((tx) => tx.workspaceMembers.insert(member)), true)
    return accountId
  }
  const roleOf = (workspace: Workspace, accountId: string) =>
    bench.read.workspaceMembers.getRole(workspace.id, accountId)
  return { create, join, roleOf }
}

export const workspaceCases = casesFor(['workspaces'], (it, bench) => {
  const { create, join, roleOf } = workspacesOf(bench)

  it('stores, changes and deletes a workspace whose creator owns it', async () => {
    const { id: creator } = await bench.account()
    const wanted = newWorkspace(creator, { name: ODD_TEXT, description: null })
    const made = await bench.write((tx) => tx.workspaces.insert(wanted, 1))
    const workspace = { ...wanted, updatedAt: wanted.createdAt }
    assert.deepEqual(made, { outcome: 'inserted', workspace })
    assert.deepEqual(await bench.read.workspaces.get(wanted.id), workspace)
    assert.equal(await roleOf(workspace, creator), 'owner')
    const updatedAt = new Date('2026-09-09T09:09:09.009Z')
    const changes = { description: 'Other', updatedAt }
    const saved = await bench.write((tx) => tx.workspaces.save(wanted.id, changes))
    assert.deepEqual(saved, { ...workspace, ...changes })
    assert.deepEqual(await bench.write((tx) => tx.workspaces.lock(wanted.id)), saved)
    assert.equal(await bench.write((tx) => tx.workspaces.delete(wanted.id)), true)
    for (const id of [wanted.id, randomUUID(), 'no uuid', '\0']) {
      assert.equal(await bench.read.workspaces.get(id), undefined)
      assert.equal(await bench.write((tx) => tx.workspaces.lock(id)), undefined)
      assert.equal(await bench.write((tx) => tx.workspaces.save(id, changes)), undefined)
      assert.equal(await bench.write((tx) => tx.workspaces.delete(id)), false)
      assert.deepEqual(await bench.read.workspaces.listOwnerPlans(id), [])
    }
    assert.equal(await roleOf(workspace, creator), undefined)
  })

  it('deletes a workspace immediately, and its rows in parts', async () => {
    const limits = { maxDocuments: 9, maxDepth: 9 }
    /** Documents below each other. */
    async function fill({ id, createdBy }: Workspace): Promise<readonly string[]> {
      const ids: string[] = []
      while (ids.length < 3) {
        const document = newDocument(id, createdBy ?? '', { parentId: ids.at(-1) ?? null })
        await bench.write((tx) => tx.workspaceDocuments.insert(document, limits))
        ids.push(document.id)
      }
      return ids
    }
    const [workspace, kept] = [await create(), await create()]
    const [deletedIds, keptIds] = [await fill(workspace), await fill(kept)]
    const shown = async () => {
      const documents = await bench.read.workspaceDocuments.listByIds([...deletedIds, ...keptIds])
      return documents.map(({ id }) => id).sort()
    }
    assert.equal((await shown()).length, 6)
    assert.equal(await bench.write((tx) => tx.workspaces.delete(workspace.id)), true)
    assert.deepEqual(await shown(), [...keptIds].sort())
    const late = newDocument(workspace.id, workspace.createdBy ?? '')
    const inserted = await bench.write((tx) => tx.workspaceDocuments.insert(late, limits))
    assert.deepEqual(inserted, { outcome: 'unknown_parent' })
    const counts: number[] = []
    do counts.push(await bench.write((tx) => tx.workspaces.sweep(2)))
    while (counts.at(-1) !== 0)
    assert.ok(counts.length > 3)
    assert.ok(Math.max(...counts) <= 2)
    for (const id of deletedIds) assert.equal(await bench.read.workspaceDocuments.get(id), undefined)
    assert.deepEqual(await shown(), [...keptIds].sort())
  })

  it('adds no member to a workspace that is deleted concurrently', async () => {
    const workspace = await create()
    const { id: accountId } = await bench.account()
    const { first, others } = await bench.overlap(
      (tx) => tx.workspaces.delete(workspace.id),
      [(tx) => tx.workspaceMembers.insert(newWorkspaceMember(workspace.id, accountId))],
    )
    assert.deepEqual([first, ...others], [true, false])
    assert.equal((await bench.read.workspaces.listOfAccount(accountId, { limit: 9 })).total, 0)
  })

  it('keeps slugs unique for a creator, and lets other creators use them', async () => {
    const { id: creator } = await bench.account()
    const [one, other] = [await create({ createdBy: creator }), await create({ createdBy: creator })]
    const again = newWorkspace(creator, { slug: one.slug })
    assert.deepEqual(await bench.write((tx) => tx.workspaces.insert(again, 9)), { outcome: 'slug_taken' })
    const change = { slug: one.slug, updatedAt: one.updatedAt }
    assert.equal(await bench.write((tx) => tx.workspaces.save(other.id, change)), undefined)
    assert.equal((await bench.read.workspaces.get(other.id))?.slug, other.slug)
    assert.equal((await create({ slug: one.slug })).slug, one.slug)
  })

  it('creates no more workspaces than the maximum when many are created concurrently', async () => {
    const { id: creator } = await bench.account()
    const insert = () => (tx: Stores<'workspaces'>) => tx.workspaces.insert(newWorkspace(creator), 3)
    const { first, others } = await bench.overlap(insert(), [1, 2, 3, 4].map(insert))
    const outcomes = [first, ...others].map((each) => each?.outcome).toSorted()
    assert.deepEqual(outcomes, ['inserted', 'inserted', 'inserted', 'too_many', 'too_many'])
  })

  it('does not count the workspaces that their creator left, but keeps their slugs', async () => {
    const { id: creator } = await bench.account()
    const left = await create({ createdBy: creator })
    await join(left, 'owner')
    await bench.write((tx) => tx.workspaceMembers.delete(left.id, creator))
    const insert = (slug: string) =>
      bench.write((tx) => tx.workspaces.insert(newWorkspace(creator, { slug }), 1)).then(({ outcome }) => outcome)
    assert.equal(await insert(left.slug), 'slug_taken')
    assert.equal(await insert('kept'), 'inserted')
    assert.equal(await insert('more'), 'too_many')
  })

  it('gives a slug to exactly one of many concurrent workspaces of a creator', async () => {
    const { id: creator } = await bench.account()
    const { slug } = newWorkspace(creator)
    const insert = () => (tx: Stores<'workspaces'>) => tx.workspaces.insert(newWorkspace(creator, { slug }), 9)
    const { first, others } = await bench.overlap(insert(), [insert(), insert()])
    assert.equal(first?.outcome, 'inserted')
    assert.deepEqual(
      others.map(({ outcome }) => outcome),
      ['slug_taken', 'slug_taken'],
    )
  })

  it('lists the workspaces of an account with its role, oldest first', async () => {
    const { id } = await bench.account()
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const newer = await create({ createdAt: at(2) })
    const own = await create({ createdBy: id, createdAt: at(1) })
    const older = await create({ createdAt: at(0) })
    await create()
    await join(newer, 'reader', id)
    await join(older, 'admin', id)
    const list = bench.read.workspaces.listOfAccount.bind(bench.read.workspaces, id)
    assert.deepEqual(await readAll(list, 2), [
      { workspace: older, role: 'admin' },
      { workspace: own, role: 'owner' },
      { workspace: newer, role: 'reader' },
    ])
    assert.equal((await list({ limit: 1 })).total, 3)
    await checkCursors(list)
    assert.deepEqual((await bench.read.workspaces.listOfAccount('no uuid', { limit: 9 })).items, [])
  })

  it('returns the plans of the owners of a workspace, each once', async () => {
    const workspace = await create()
    const [second, third] = [await join(workspace, 'owner'), await join(workspace, 'owner')]
    const admin = await join(workspace, 'admin')
    await bench.write(async (tx) => {
      for (const id of [second, third]) await tx.accounts.save(id, { tier: 'pro' })
      await tx.accounts.save(admin, { tier: 'team' })
    })
    const plans = await bench.read.workspaces.listOwnerPlans(workspace.id)
    assert.deepEqual(plans.toSorted(), ['community', 'pro'])
  })
})

export const workspaceMemberCases = casesFor(['workspaces'], (it, bench) => {
  const { create, join, roleOf } = workspacesOf(bench)
  const setRole = (workspace: Workspace, accountId: string, role: WorkspaceMember['role']) =>
    bench.write((tx) => tx.workspaceMembers.setRole(workspace.id, accountId, role))
  const remove = (workspace: Workspace, accountId: string) => (tx: Stores<'workspaces'>) =>
    tx.workspaceMembers.delete(workspace.id, accountId)
  const ownerOf = ({ createdBy }: Workspace) => createdBy ?? ''

  it('adds a member once, changes its role and removes it', async () => {
    const [workspace, other] = [await create(), await create()]
    const member = await join(workspace, 'reader')
    const again = newWorkspaceMember(workspace.id, member, { role: 'admin' })
    assert.equal(await bench.write((tx) => tx.workspaceMembers.insert(again)), false)
    assert.equal(await roleOf(workspace, member), 'reader')
    assert.equal(await roleOf(other, member), undefined)
    assert.equal(await setRole(workspace, member, 'admin'), 'changed')
    assert.equal(await roleOf(workspace, member), 'admin')
    assert.equal(await bench.write(remove(other, member)), 'not_member')
    assert.equal(await bench.write(remove(workspace, member)), 'changed')
    assert.equal(await bench.write(remove(workspace, member)), 'not_member')
    assert.equal(await setRole(workspace, member, 'reader'), 'not_member')
  })

  it('knows no members of unknown workspaces, and none with unknown ids', async () => {
    const workspace = await create()
    const { id } = await bench.account()
    for (const unknown of ['no uuid', '\0', randomUUID()]) {
      assert.equal(await roleOf(workspace, unknown), undefined)
      assert.equal(await bench.write(remove(workspace, unknown)), 'not_member')
      assert.equal(await setRole(workspace, unknown, 'admin'), 'not_member')
      const member = newWorkspaceMember(unknown, id)
      assert.equal(await bench.write((tx) => tx.workspaceMembers.insert(member)), false)
      assert.deepEqual((await bench.read.workspaceMembers.list(unknown, { limit: 9 })).items, [])
    }
  })

  it('keeps the last owner, and does not count owners whose account is about to be deleted', async () => {
    const workspace = await create()
    const owner = ownerOf(workspace)
    await join(workspace, 'admin')
    assert.equal(await setRole(workspace, owner, 'reader'), 'last_owner')
    assert.equal(await bench.write(remove(workspace, owner)), 'last_owner')
    assert.equal(await setRole(workspace, owner, 'owner'), 'changed')
    const second = await join(workspace, 'owner')
    await bench.write((tx) => tx.accounts.save(second, { deletionScheduledAt: new Date() }))
    assert.equal(await bench.write(remove(workspace, owner)), 'last_owner')
    assert.equal(await roleOf(workspace, owner), 'owner')
    assert.equal(await bench.write(remove(workspace, second)), 'changed')
  })

  it('keeps one owner when all owners leave concurrently', async () => {
    const workspace = await create()
    const owners = [ownerOf(workspace), await join(workspace, 'owner'), await join(workspace, 'owner')] as const
    const { first, others } = await bench.overlap(remove(workspace, owners[0]), [
      remove(workspace, owners[1]),
      remove(workspace, owners[2]),
    ])
    assert.equal(first, 'changed')
    assert.deepEqual(others.toSorted(), ['changed', 'last_owner'])
    const { items } = await bench.read.workspaceMembers.list(workspace.id, { limit: 9 })
    assert.deepEqual(
      items.map(({ role }) => role),
      ['owner'],
    )
  })

  it('keeps one owner when one leaves while another becomes a reader, or either fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const workspace = await create()
      const [owner, second] = [ownerOf(workspace), await join(workspace, 'owner')]
      const { others } = await bench.overlap(
        (tx) => tx.workspaceMembers.setRole(workspace.id, owner, 'reader'),
        [remove(workspace, second)],
        end,
      )
      assert.deepEqual(others, [end === 'commit' ? 'last_owner' : 'changed'])
    }
  })

  it('lists the members of a workspace, oldest first, with their names', async () => {
    const workspace = await create()
    const account = await bench.account({ fullName: null })
    const createdAt = new Date(workspace.createdAt.getTime() + 1)
    const member = newWorkspaceMember(workspace.id, account.id, { createdAt })
    await bench.write((tx) => tx.workspaceMembers.insert(member))
    const list = bench.read.workspaceMembers.list.bind(bench.read.workspaceMembers, workspace.id)
    const [owner, second] = await readAll(list, 1)
    assert.deepEqual([owner?.accountId, owner?.role], [workspace.createdBy, 'owner'])
    assert.deepEqual(second, { ...member, username: account.username, fullName: null })
    await checkCursors(list)
    await bench.write((tx) => tx.accounts.save(account.id, { deletionScheduledAt: new Date() }))
    assert.equal((await list({ limit: 9 })).total, 1, 'an account in deletion is not listed')
  })

  it('ends the memberships of an account, and those of others where it is the only owner', async () => {
    const { id } = await bench.account()
    const [own, shared, joined] = [await create({ createdBy: id }), await create({ createdBy: id }), await create()]
    const friend = await join(own, 'admin')
    const coOwner = await join(shared, 'owner')
    await join(joined, 'editor', id)
    const ended = await bench.write((tx) => tx.workspaceMembers.deleteOfAccount(id))
    const order = (list: readonly { workspaceId: string; accountId: string }[]) =>
      list.map((each) => `${each.workspaceId} ${each.accountId}`).toSorted()
    assert.deepEqual(
      order(ended),
      order([
        { workspaceId: own.id, accountId: friend },
        { workspaceId: shared.id, accountId: id },
        { workspaceId: joined.id, accountId: id },
      ]),
    )
    assert.equal(await roleOf(own, id), 'owner')
    assert.equal(await roleOf(shared, coOwner), 'owner')
    for (const unknown of ['no uuid', randomUUID()]) {
      assert.deepEqual(await bench.write((tx) => tx.workspaceMembers.deleteOfAccount(unknown)), [])
    }
  })
})

export const workspaceErasureCases = casesFor(['workspaces'], (it, bench) => {
  const { create, join, roleOf } = workspacesOf(bench)

  it('erases workspaces with their only owner, and keeps those that others own', async () => {
    const { id } = await bench.account()
    const [own, shared, joined] = [await create({ createdBy: id }), await create({ createdBy: id }), await create()]
    await join(own, 'admin')
    const coOwner = await join(shared, 'owner')
    await join(joined, 'editor', id)
    for (const workspace of [own, shared, joined]) {
      const activity = newWorkspaceActivity(workspace.id, id, { subjectAccountId: id })
      await bench.write((tx) => tx.workspaceActivity.add(activity, 9))
    }
    assert.deepEqual(await bench.write((tx) => tx.workspaces.deleteOwnedAlone(id)), [own.id])
    assert.deepEqual(await bench.write((tx) => tx.workspaces.deleteOwnedAlone('no uuid')), [])
    const last = await create({ createdBy: id })
    assert.equal(await bench.write((tx) => eraseAccount(tx, id)), true)
    for (const gone of [own, last]) assert.equal(await bench.read.workspaces.get(gone.id), undefined)
    assert.equal((await bench.read.workspaces.get(shared.id))?.createdBy, null)
    assert.equal(await roleOf(shared, coOwner), 'owner')
    assert.deepEqual(await bench.read.workspaces.get(joined.id), joined)
    for (const workspace of [shared, joined]) {
      assert.equal(await roleOf(workspace, id), undefined)
      const [kept] = (await bench.read.workspaceActivity.list(workspace.id, { limit: 1 })).items
      const { accountId, username, subjectAccountId, subjectUsername } = present(kept)
      assert.deepEqual([accountId, username, subjectAccountId, subjectUsername], [null, null, null, null])
    }
  })

  it('erases a workspace with the last of owners that are erased concurrently', async () => {
    const workspace = await create()
    const second = await join(workspace, 'owner')
    const erase = (id: string) => (tx: Stores<'workspaces'>) => eraseAccount(tx, id)
    const { others } = await bench.overlap(erase(workspace.createdBy ?? ''), [erase(second)])
    assert.deepEqual(others, [true])
    assert.equal(await bench.read.workspaces.get(workspace.id), undefined)
  })

  it('erases a workspace whose other owner leaves concurrently', async () => {
    const workspace = await create()
    const second = await join(workspace, 'owner')
    await bench.overlap(
      (tx) => tx.workspaceMembers.delete(workspace.id, second),
      [(tx) => eraseAccount(tx, workspace.createdBy ?? '')],
    )
    assert.equal(await bench.read.workspaces.get(workspace.id), undefined)
  })

  it('erases invitations of and to an account, also by the email address that it owns', async () => {
    const [workspace, account] = [await create(), await bench.account()]
    await bench.write((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))
    const owner = workspace.createdBy ?? ''
    const put = (invitedBy: string, invitee: { accountId: string; email: null } | { accountId: null; email: string }) =>
      bench.write((tx) => tx.workspaceInvitations.put(newWorkspaceInvitation(workspace.id, invitedBy, invitee)))
    await put(owner, { accountId: account.id, email: null })
    await put(owner, { accountId: null, email: account.email.toUpperCase() })
    await put(account.id, { accountId: null, email: 'friend@example.com' })
    const kept = await put(owner, { accountId: null, email: `not.${account.email}` })
    await bench.write((tx) => eraseAccount(tx, account.id))
    const { items } = await bench.read.workspaceInvitations.list(workspace.id, { limit: 9 })
    assert.deepEqual(
      items.map(({ id }) => id),
      [kept.id],
    )
  })

  it('keeps an invitation to an address that a purged account never owned', async () => {
    const [workspace, account] = [await create(), await bench.account()]
    const toAddress = newWorkspaceInvitation(workspace.id, workspace.createdBy ?? '', {
      accountId: null,
      email: account.email,
    })
    const kept = await bench.write((tx) => tx.workspaceInvitations.put(toAddress))
    await bench.write((tx) => tx.accounts.save(account.id, { emailVerified: true }))
    await bench.write((tx) => eraseAccount(tx, account.id))
    assert.deepEqual(await bench.read.workspaceInvitations.get(kept.id), kept)
  })
})
