import { describe, expect, it } from 'vitest'
import { codeOf, PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import {
  activityIn,
  joinWorkspace,
  newWorkspace,
  newWorkspaceMember,
  type OwnedWorkspace,
  rolesInWorkspace,
} from '../support/workspaces.ts'

const DAY_MS = 86_400_000
const mailbox = createMailbox()
const { clock } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance()

const remove = (workspace: OwnedWorkspace, member: Person, by: Person) =>
  by.delete(`${workspace.path}/members/${member.account.id}`)
const setRole = (workspace: OwnedWorkspace, member: Person, role: string, by: Person) =>
  by.put(`${workspace.path}/members/${member.account.id}`, { role })

describe('a workspace', () => {
  it('is created with a slug from its name, and belongs to its creator', async () => {
    const ada = await signUp(app)
    const created = await ada.post('/workspaces', { name: 'Notes on the Engine', description: 'What we know' })
    expect(created.statusCode).toBe(201)
    const workspace = created.json()
    expect(workspace).toEqual({
      id: expect.any(String),
      name: 'Notes on the Engine',
      slug: 'notes-on-the-engine',
      description: 'What we know',
      role: 'owner',
      created_at: clock().toISOString(),
      updated_at: clock().toISOString(),
    })
    expect((await ada.get(`/workspaces/${workspace.id}`)).json()).toEqual(workspace)
    const again = (await ada.post('/workspaces', { name: 'Notes on the Engine' })).json()
    expect(again).toMatchObject({ slug: 'notes-on-the-engine-2', description: null })
    const list = (await ada.get('/workspaces?limit=1')).json()
    expect(list.pagination).toMatchObject({ total: 2, has_more: true })
    const rest = (await ada.get(`/workspaces?limit=1&cursor=${list.pagination.next_cursor}`)).json()
    const ids = [...list.data, ...rest.data].map(({ id }: { id: string }) => id)
    expect(ids.toSorted()).toEqual([workspace.id, again.id].toSorted())
  })

  it('rejects a chosen slug that its creator uses, and accepts that of another creator', async () => {
    const [ada, bob] = [await signUp(app), await signUp(app)]
    const body = { name: 'Notes', slug: 'notes' }
    expect((await ada.post('/workspaces', body)).statusCode).toBe(201)
    const taken = await ada.post('/workspaces', body)
    expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'workspace_slug_taken'])
    expect((await bob.post('/workspaces', body)).statusCode).toBe(201)
    const other = await newWorkspace(app, ada)
    const renamed = await ada.put(other.path, { slug: 'notes' })
    expect([renamed.statusCode, codeOf(renamed)]).toEqual([409, 'workspace_slug_taken'])
  })

  it('gets another slug from its creator only', async () => {
    const workspace = await newWorkspace(app)
    await newWorkspace(app, workspace.owner, { slug: 'secret' })
    const owner = await newWorkspaceMember(app, workspace, 'owner')
    for (const slug of ['secret', 'another']) {
      const refused = await owner.put(workspace.path, { slug })
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'workspace_permission_required'])
    }
    const { slug } = (await owner.get(workspace.path)).json()
    expect((await owner.put(workspace.path, { name: 'Other', slug })).json()).toMatchObject({ name: 'Other', slug })
    expect((await workspace.owner.put(workspace.path, { slug: 'another' })).json()).toMatchObject({ slug: 'another' })
  })

  it('is renamed and described, and an empty change is rejected', async () => {
    const { owner, path } = await newWorkspace(app)
    const changed = await owner.put(path, { name: 'Other', slug: 'other', description: 'Words' })
    expect(changed.json()).toMatchObject({ name: 'Other', slug: 'other', description: 'Words', role: 'owner' })
    expect((await owner.put(path, { description: null })).json()).toMatchObject({ name: 'Other', description: null })
    for (const body of [{}, { name: ' ' }, { slug: 'No Slug' }]) {
      expect((await owner.put(path, body)).statusCode, JSON.stringify(body)).toBe(400)
    }
  })

  it('is deleted with its members and invitations', async () => {
    const workspace = await newWorkspace(app)
    const reader = await newWorkspaceMember(app, workspace, 'reader')
    const guest = await signUp(app)
    const { id } = (
      await workspace.owner.post(`${workspace.path}/invites`, { username: guest.account.username, role: 'reader' })
    ).json()
    expect((await workspace.owner.delete(workspace.path)).json()).toEqual({ success: true })
    for (const person of [workspace.owner, reader]) {
      expect((await person.get(workspace.path)).statusCode).toBe(404)
      expect((await person.get('/workspaces')).json().data).toEqual([])
    }
    expect(codeOf(await guest.post(`/workspaces/invites/${id}/accept`))).toBe('invitation_not_found')
    expect((await workspace.owner.delete(workspace.path)).statusCode).toBe(404)
  })

  it('is limited in number by the plan of its creator, also for concurrent requests', async () => {
    const small = await instance({ limits: { plans: { community: { maxWorkspaces: 2 } } } })
    const ada = await signUp(small)
    const answers = await Promise.all([1, 2, 3, 4].map(() => ada.post('/workspaces', { name: 'Notes' })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 409, 409])
    const refused = await ada.post('/workspaces', { name: 'Notes' })
    expect(refused.json().error).toMatchObject({ code: 'too_many_workspaces', details: { max_workspaces: 2 } })
    const [first] = (await ada.get('/workspaces')).json().data
    await ada.delete(`/workspaces/${first.id}`)
    expect((await ada.post('/workspaces', { name: 'Notes' })).statusCode).toBe(201)
  })

  it('is not found by other accounts, under invalid ids, or by a key of one profile', async () => {
    const workspace = await newWorkspace(app)
    const { owner, id, path } = workspace
    const other = await signUp(app)
    for (const url of [path, `${path}/members`, `${path}/invites`, `${path}/activity`]) {
      const response = await other.get(url)
      expect([response.statusCode, codeOf(response)], url).toEqual([404, 'workspace_not_found'])
    }
    for (const unknown of ['none', '1', '00000000-0000-4000-8000-000000000000', `${id}x`]) {
      expect((await owner.get(`/workspaces/${unknown}`)).statusCode, unknown).toBe(404)
    }
    expect((await owner.get(`/workspaces/${id.toUpperCase()}`)).json().id).toBe(id)
    const scopes = ['read:workspaces', 'write:workspaces']
    const whole = await newKey(app, owner.headers, { scopes })
    expect((await client(app).get(path, whole.headers)).statusCode).toBe(200)
    const bound = await newKey(app, owner.headers, { scopes, profile_id: owner.account.active_profile_id })
    expect((await client(app).get(path, bound.headers)).statusCode).toBe(404)
    expect((await client(app).get('/workspaces', bound.headers)).json().data).toEqual([])
    const created = await client(app).post('/workspaces', { name: 'Notes' }, bound.headers)
    expect([created.statusCode, codeOf(created)]).toEqual([403, 'forbidden'])
  })

  it('records what members do, with their names', async () => {
    const workspace = await newWorkspace(app)
    const { owner, path } = workspace
    const editor = await newWorkspaceMember(app, workspace, 'editor')
    await setRole(workspace, editor, 'reader', owner)
    await owner.put(path, { name: 'Other' })
    await remove(workspace, editor, editor)
    expect(await activityIn(workspace, owner)).toEqual([
      'member.left',
      'workspace.updated',
      'member.role_changed',
      'member.joined',
      'member.invited',
      'workspace.created',
    ])
    const [, , change] = (await owner.get(`${path}/activity`)).json().data
    expect(change).toEqual({
      id: expect.any(Number),
      action: 'member.role_changed',
      actor: { id: owner.account.id, username: owner.account.username },
      member: { id: editor.account.id, username: editor.account.username },
      document_id: null,
      data: { role: 'reader', previous_role: 'editor' },
      at: clock().toISOString(),
    })
  })
})

describe('the deletion of a workspace', () => {
  it('hides its documents immediately, and deletes them in the background', async () => {
    const workspace = await newWorkspace(app)
    const { owner, path } = workspace
    const bytes = () => database.storage.read.workspaceDocuments.countBytes(workspace.id)
    const made = await owner.post(`${path}/documents`, { title: 'Plan' })
    const id = made.json().id
    for (let version = 0; version < 5; version += 1) await owner.put(`${path}/documents/${id}`, { body: `${version}` })
    expect(await bytes()).toBeGreaterThan(0)
    expect((await owner.delete(path)).statusCode).toBe(200)
    expect((await owner.get(`${path}/documents/${id}`)).statusCode).toBe(404)
    await app.eep.purge()
    expect(await bytes()).toBe(0)
  })
})

describe('the members of a workspace', () => {
  it('are listed with their roles, and without accounts that are about to be deleted', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const editor = await newWorkspaceMember(app, workspace, 'editor')
    const { data, pagination } = (await editor.get(`${workspace.path}/members`)).json()
    expect(data).toEqual(
      [owner, editor]
        .map(({ account }, at) => ({
          id: account.id,
          username: account.username,
          full_name: null,
          role: ['owner', 'editor'][at],
          joined_at: clock().toISOString(),
        }))
        .toSorted((one, other) => (one.username < other.username ? -1 : 1)),
    )
    expect(pagination).toEqual({ total: 2, has_more: false })
    await editor.send('DELETE', '/auth/account', { password: PASSWORD })
    expect(await rolesInWorkspace(workspace, owner)).toEqual({ [owner.account.username]: 'owner' })
  })

  it('keep one owner: the last one cannot leave, be removed or get another role', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    await newWorkspaceMember(app, workspace, 'admin')
    for (const answer of [await remove(workspace, owner, owner), await setRole(workspace, owner, 'reader', owner)]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'last_owner'])
    }
    const second = await newWorkspaceMember(app, workspace, 'owner')
    const answers = await Promise.all([remove(workspace, owner, owner), remove(workspace, second, second)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  })

  it('are managed by admins, except for owners', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const [admin, other] = [
      await newWorkspaceMember(app, workspace, 'admin'),
      await newWorkspaceMember(app, workspace, 'reader'),
    ]
    expect((await setRole(workspace, other, 'admin', admin)).json()).toEqual({ success: true })
    for (const answer of [
      await setRole(workspace, other, 'owner', admin),
      await setRole(workspace, admin, 'owner', admin),
      await setRole(workspace, owner, 'reader', admin),
      await remove(workspace, owner, admin),
    ]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'workspace_permission_required'])
    }
    expect((await remove(workspace, other, admin)).json()).toEqual({ success: true })
    expect(codeOf(await remove(workspace, other, admin))).toBe('workspace_member_not_found')
    const unknown = await admin.delete(`${workspace.path}/members/unknown`)
    expect([unknown.statusCode, codeOf(unknown)]).toEqual([404, 'workspace_member_not_found'])
    expect((await other.get(workspace.path)).statusCode).toBe(404)
  })

  it('lose the invitations that they sent with the right to invite', async () => {
    const workspace = await newWorkspace(app)
    const { owner, path } = workspace
    const admin = await newWorkspaceMember(app, workspace, 'admin')
    const invite = (by: Person, email: string) => by.post(`${path}/invites`, { email, role: 'reader' })
    await invite(admin, 'one@example.com')
    await invite(owner, 'two@example.com')
    await setRole(workspace, admin, 'editor', owner)
    const { data } = (await owner.get(`${path}/invites`)).json()
    expect(data.map(({ email }: { email: string }) => email)).toEqual(['two@example.com'])
  })

  it('get roles from sessions only: a key can remove members, and grant nothing', async () => {
    const workspace = await newWorkspace(app)
    const member = await newWorkspaceMember(app, workspace, 'reader')
    const { headers } = await newKey(app, workspace.owner.headers, { scopes: ['write:workspaces'] })
    const byKey = client(app).with(headers)
    const url = `${workspace.path}/members/${member.account.id}`
    expect((await byKey.put(url, { role: 'admin' })).statusCode).toBe(403)
    const invite = { email: 'guest@example.com', role: 'admin' }
    expect((await byKey.post(`${workspace.path}/invites`, invite)).statusCode).toBe(403)
    expect((await byKey.delete(url)).json()).toEqual({ success: true })
  })
})

describe('an invitation to a workspace', () => {
  const invite = ({ owner, path }: OwnedWorkspace, body: object) => owner.post(`${path}/invites`, body)
  const accept = (person: Person, token: unknown) => person.post(`/workspaces/invites/${token}/accept`)

  it('sends an address a link, whose token lets its owner join', async () => {
    const workspace = await newWorkspace(app)
    const guest = await signUp(app)
    const { email } = guest.account
    const response = await invite(workspace, { email, role: 'editor' })
    expect(response.statusCode).toBe(201)
    expect(response.json()).toEqual({
      id: expect.any(Number),
      workspace: { id: workspace.id, name: 'Notes on the engine' },
      email,
      username: null,
      role: 'editor',
      invited_by: workspace.owner.account.username,
      created_at: clock().toISOString(),
      expires_at: new Date(clock().getTime() + 7 * DAY_MS).toISOString(),
    })
    const mail = await mailbox.take(email, 'invitation')
    const token = tokenIn(mail)
    expect(mail.text).toContain(`https://profiles.example/workspaces/invite?token=${token}`)
    const joined = await accept(guest, token)
    expect(joined.json()).toMatchObject({ id: workspace.id, role: 'editor' })
    expect((await guest.get('/auth/me')).json().email_verified).toBe(true)
    expect(codeOf(await accept(guest, token))).toBe('invitation_not_found')
  })

  it('is for one account when it names a username, and is listed there', async () => {
    const workspace = await newWorkspace(app)
    const [guest, other] = [await signUp(app), await signUp(app)]
    const { id } = (await invite(workspace, { username: guest.account.username, role: 'reader' })).json()
    const token = tokenIn(await mailbox.take(guest.account.email, 'invitation'))
    expect(codeOf(await accept(other, token))).toBe('invitation_not_yours')
    expect(codeOf(await accept(other, id))).toBe('invitation_not_found')
    const { data } = (await guest.get('/workspaces/invites')).json()
    expect(data).toMatchObject([{ id, workspace: { id: workspace.id }, username: guest.account.username }])
    expect((await other.get('/workspaces/invites')).json().data).toEqual([])
    expect((await accept(guest, id)).statusCode).toBe(200)
    const again = await invite(workspace, { username: guest.account.username, role: 'admin' })
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'already_workspace_member'])
  })

  it('requires an account with another address to have confirmed its own', async () => {
    const workspace = await newWorkspace(app)
    const guest = await signUp(app)
    await invite(workspace, { email: `other-${guest.account.email}`, role: 'reader' })
    const token = tokenIn(await mailbox.take(`other-${guest.account.email}`, 'invitation'))
    expect(codeOf(await accept(guest, token))).toBe('email_not_confirmed')
    await proveAddress(database, guest)
    expect((await accept(guest, token)).statusCode).toBe(200)
  })

  it('is accepted once by concurrent requests', async () => {
    const workspace = await newWorkspace(app)
    const guest = await signUp(app)
    const { id } = (await invite(workspace, { username: guest.account.username, role: 'reader' })).json()
    const answers = await Promise.all([1, 2, 3].map(() => accept(guest, id)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404, 404])
    expect(await activityIn(workspace, guest)).toEqual(['member.joined', 'member.invited', 'workspace.created'])
  })

  it('is withdrawn by the workspace, or declined by its recipient', async () => {
    const [workspace, elsewhere] = [await newWorkspace(app), await newWorkspace(app)]
    const guest = await signUp(app)
    const put = async () =>
      (await invite(workspace, { username: guest.account.username, role: 'reader' })).json().id as number
    const first = await put()
    const wrong = await elsewhere.owner.delete(`${elsewhere.path}/invites/${first}`)
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([404, 'invitation_not_found'])
    expect((await workspace.owner.delete(`${workspace.path}/invites/${first}`)).json()).toEqual({ success: true })
    expect(codeOf(await accept(guest, first))).toBe('invitation_not_found')
    const second = await put()
    expect((await guest.post(`/workspaces/invites/${second}/reject`)).json()).toEqual({ success: true })
    expect(codeOf(await accept(guest, second))).toBe('invitation_not_found')
  })

  it('cannot make an owner, and needs exactly one of an address and a username', async () => {
    const workspace = await newWorkspace(app)
    const email = 'guest@example.com'
    for (const body of [{ email, role: 'owner' }, { role: 'reader' }, { email, username: 'ada', role: 'reader' }]) {
      expect((await invite(workspace, body)).statusCode).toBe(400)
    }
    expect(codeOf(await invite(workspace, { username: 'unknown-name', role: 'reader' }))).toBe('account_not_found')
  })
})

describe('an account that is deleted', () => {
  it('takes the workspaces along that it owns alone, and leaves the others', async () => {
    const ada = await signUp(app)
    const [own, shared] = [await newWorkspace(app, ada), await newWorkspace(app, ada)]
    const member = await newWorkspaceMember(app, own, 'admin')
    const coOwner = await signUp(app)
    await joinWorkspace(shared, coOwner, 'owner')
    await database.storage.transaction((tx) => tx.accounts.save(ada.account.id, { deletionScheduledAt: new Date(0) }))
    const purging = await instance({ auth: { purgeIntervalMs: 100 } })
    const account = () => database.storage.read.accounts.get(ada.account.id)
    await expect.poll(account, { timeout: 60_000 }).toBeUndefined()
    expect((await member.get(own.path)).statusCode).toBe(404)
    await purging.close()
    expect((await coOwner.get(shared.path)).json()).toMatchObject({ role: 'owner' })
    expect(await rolesInWorkspace(shared, coOwner)).toEqual({ [coOwner.account.username]: 'owner' })
    const [joined, invited] = (await coOwner.get(`${shared.path}/activity`)).json().data.slice(-3)
    expect([joined.actor.username, invited.actor]).toEqual([coOwner.account.username, null])
  })
})
