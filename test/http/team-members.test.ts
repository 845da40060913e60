import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, login, me, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import type { TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox } from '../support/mailbox.ts'
import {
  accept,
  invite,
  inviteByName,
  type MemberRole,
  newMember,
  newOrganization,
  type OwnedProfile,
  rolesIn,
  teamOf,
} from '../support/teams.ts'
import { watchedStorage } from '../support/watched-storage.ts'

/** What the host looks at before a page is published. */
let beforePublish: () => Promise<void> = async () => {}
const mailbox = createMailbox()
const { clock } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance({ hooks: { beforePublish: () => beforePublish() } })

const organization = (fields?: object, owner?: Person) => newOrganization(app, owner, fields)

describe('GET /profiles/{id}/team', () => {
  it('shows owner and members to the team, and invitations to members who may invite', async () => {
    const profile = await organization()
    const admin = await newMember(app, profile, 'admin')
    const viewer = await newMember(app, profile, 'viewer')
    await invite(profile, { email: 'other@example.com', role: 'editor' })
    const { owner, data, pagination, invitations } = await teamOf(profile, admin)
    const { id, username } = profile.owner.account
    expect(owner).toEqual({ id, username, full_name: null, role: 'owner' })
    expect(data).toEqual(
      [profile.owner, admin, viewer].map(({ account }, index) => ({
        id: account.id,
        username: account.username,
        full_name: null,
        role: ['owner', 'admin', 'viewer'][index],
        joined_at: expect.any(String),
      })),
    )
    expect(pagination).toEqual({ total: 3, has_more: false })
    expect(invitations).toMatchObject([{ email: 'other@example.com', role: 'editor' }])
    expect((await teamOf(profile, viewer)).invitations).toBeUndefined()
  })

  it('lists the team in pages, the owner first', async () => {
    const profile = await organization()
    const alone = (await profile.owner.get(`${profile.team}?limit=1`)).json()
    expect(alone.pagination).toEqual({ total: 1, has_more: false })
    const people = [profile.owner, await newMember(app, profile, 'viewer'), await newMember(app, profile, 'viewer')]
    for (const limit of [1, 2, 3]) {
      const seen: string[] = []
      let cursor = ''
      do {
        const { data, pagination } = (
          await profile.owner.get(`${profile.team}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        ).json()
        expect(data.length).toBeLessThanOrEqual(limit)
        expect(pagination.total).toBe(3)
        seen.push(...data.map(({ id }: { id: string }) => id))
        cursor = pagination.next_cursor ?? ''
      } while (cursor)
      expect(seen, `in pages of ${limit}`).toEqual(people.map(({ account }) => account.id))
    }
    expect((await profile.owner.get(`${profile.team}?cursor=nonsense`)).statusCode).toBe(400)
  })

  it('is not found by other users when the profile is private', async () => {
    const [hidden, otherUser] = [await organization({ visibility: 'private' }), await signUp(app)]
    expect((await otherUser.get(hidden.team)).statusCode).toBe(404)
    expect((await otherUser.get('/profiles/999999999/team')).statusCode).toBe(404)
    expect((await otherUser.get('/profiles/none/team')).statusCode).toBe(404)
  })

  it('leaves out a member whose account is about to be deleted, until they come back', async () => {
    const profile = await organization()
    const member = await newMember(app, profile, 'editor')
    await member.send('DELETE', '/auth/account', { password: PASSWORD })
    expect(await rolesIn(profile)).toEqual({})
    await login(app, member.account.email)
    expect(await rolesIn(profile)).toEqual({ [member.account.username]: 'editor' })
  })
})

describe('a member', () => {
  it('lists every profile of a member with its role, own profiles first', async () => {
    const guest = await signUp(app)
    const [older, newer] = [await organization(), await organization()]
    for (const [profile, role] of [
      [newer, 'viewer'],
      [older, 'admin'],
    ] as const) {
      const { id } = (await inviteByName(profile, guest, role)).json()
      await accept(guest, id)
    }
    const own = { id: guest.account.active_profile_id, profile_type: 'person', username: guest.account.username }
    const wire = ({ id, username }: OwnedProfile) => ({ id, profile_type: 'organization', username })
    const expected = [
      { ...own, role: 'owner' },
      { ...wire(older), role: 'admin' },
      { ...wire(newer), role: 'viewer' },
    ]
    const user = (await me(app, guest.headers)).json()
    expect(user.profiles).toEqual(expected)
    expect(user.active_profile_id).toBe(own.id)
    expect((await login(app, guest.account.email)).json().user.profiles).toEqual(expected)
  })

  it('lets members read a private profile, its drafts and paid content', async () => {
    const profile = await organization({ visibility: 'private' })
    const viewer = await newMember(app, profile, 'viewer')
    const page = { profile_id: profile.id, title: 'Plans', body: 'Only for us.' }
    await profile.owner.post('/manage/pages', page)
    const gate = { default_tier: 'public', tiers: { public: { requirements: [], access: ['profile.*'] } } }
    const did = encodeURIComponent(`did:web:profiles.example:o:${profile.username}`)
    expect((await profile.owner.put(`/eep/gates/${did}`, gate)).statusCode).toBe(200)
    await profile.owner.post('/manage/pages', { ...page, title: 'Sold', status: 'published' })
    for (const url of [
      `/o/${profile.username}`,
      `/o/${profile.username}/content/plans`,
      `/o/${profile.username}/content/sold`,
    ]) {
      expect((await viewer.get(url)).statusCode, url).toBe(200)
      expect((await client(app).get(url)).statusCode).toBe(404)
    }
  })

  it('does not show a member the private email address of the owner', async () => {
    const profile = await organization({ email: 'private@example.com' })
    const admin = await newMember(app, profile, 'admin')
    expect((await profile.owner.get(profile.path)).json().email).toBe('private@example.com')
    expect((await admin.get(profile.path)).json()).not.toHaveProperty('email')
  })

  it('applies a new role at the next request', async () => {
    const profile = await organization()
    const member = await newMember(app, profile, 'viewer')
    const write = () => member.put(profile.path, { bio: `By a member, ${Math.random()}` })
    const become = (role: MemberRole) => profile.owner.put(`${profile.team}/${member.account.id}`, { role })
    expect((await write()).statusCode).toBe(403)
    expect((await become('editor')).json()).toEqual({ success: true })
    expect((await write()).statusCode).toBe(200)
    await become('viewer')
    expect((await write()).statusCode).toBe(403)
    expect((await member.get(profile.team)).statusCode).toBe(200)
  })

  it('removes a role on every instance', async () => {
    const other = await instance({ storage: database.another() })
    const profile = await organization({ visibility: 'private' })
    const member = await newMember(app, profile, 'viewer')
    const read = (on: TestApp) => client(on).as(member).get(`/o/${profile.username}`)
    for (const on of [app, other]) await expect.poll(async () => (await read(on)).statusCode).toBe(200)
    await profile.owner.delete(`${profile.team}/${member.account.id}`)
    expect((await read(app)).statusCode).toBe(404)
    await expect.poll(async () => (await read(other)).statusCode, { interval: 5 }).toBe(404)
  })

  it('stores nothing when the role was removed during the write', async () => {
    const profile = await organization()
    const member = await newMember(app, profile, 'editor')
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    beforePublish = () => {
      reached.resolve()
      return released.promise
    }
    const body = { profile_id: profile.id, title: 'Too late', body: 'Text', status: 'published' }
    const writing = member.post('/manage/pages', body)
    await reached.promise
    expect((await profile.owner.delete(`${profile.team}/${member.account.id}`)).statusCode).toBe(200)
    released.resolve()
    const response = await writing
    beforePublish = async () => {}
    expect([response.statusCode, codeOf(response)]).toEqual([403, 'not_profile_owner'])
    expect((await client(app).get(`/o/${profile.username}/content/too-late`)).statusCode).toBe(404)
  })

  it('lets a member leave, and removes no one else', async () => {
    const profile = await organization()
    const [viewer, editor] = [await newMember(app, profile, 'viewer'), await newMember(app, profile, 'editor')]
    expect((await viewer.delete(`${profile.team}/${editor.account.id}`)).statusCode).toBe(403)
    expect((await viewer.delete(`${profile.team}/${viewer.account.id}`)).json()).toEqual({ success: true })
    expect((await viewer.delete(`${profile.team}/${viewer.account.id}`)).statusCode).toBe(403)
    expect(await rolesIn(profile)).toEqual({ [editor.account.username]: 'editor' })
    expect((await me(app, viewer.headers)).json().profiles).toHaveLength(1)
  })

  it('deletes invitations that a member may no longer make', async () => {
    const profile = await organization()
    for (const lose of ['role', 'membership'] as const) {
      const [admin, guest] = [await newMember(app, profile, 'admin'), await signUp(app)]
      const { id } = (await invite(profile, { username: guest.account.username, role: 'admin' }, admin)).json()
      const url = `${profile.team}/${admin.account.id}`
      if (lose === 'role') await profile.owner.put(url, { role: 'editor' })
      else await profile.owner.delete(url)
      expect(codeOf(await accept(guest, id))).toBe('invitation_not_found')
    }
  })

  it('refuses changes by an admin of the owner and of unknown members', async () => {
    const profile = await organization()
    const [admin, other, otherUser] = [
      await newMember(app, profile, 'admin'),
      await newMember(app, profile, 'admin'),
      await signUp(app),
    ]
    const url = (id: string) => `${profile.team}/${id}`
    for (const by of [admin, profile.owner]) {
      const { id } = profile.owner.account
      for (const response of [await by.put(url(id), { role: 'viewer' }), await by.delete(url(id))]) {
        expect([response.statusCode, codeOf(response)]).toEqual([409, 'owner_cannot_leave'])
      }
    }
    expect((await admin.put(url(other.account.id), { role: 'owner' })).statusCode).toBe(400)
    for (const id of [otherUser.account.id, 'no-uuid', '0']) {
      expect(codeOf(await admin.put(url(id), { role: 'viewer' }))).toBe('member_not_found')
      expect(codeOf(await admin.delete(url(id)))).toBe('member_not_found')
    }
    expect((await admin.put(url(other.account.id), { role: 'viewer' })).statusCode).toBe(200)
    expect((await admin.delete(url(other.account.id))).statusCode).toBe(200)
  })

  it('needs no role query for anonymous callers and owners, and one for others until a change', async () => {
    const watched = watchedStorage(database.another())
    const other = await instance({ storage: watched.storage })
    const profile = await organization({ visibility: 'unlisted' })
    const [member, otherUser] = [await newMember(app, profile, 'viewer'), await signUp(app)]
    const url = `/o/${profile.username}/content`
    const asks = async (headers: Person['headers']) => {
      watched.asked.length = 0
      expect((await client(other).get(url, headers)).statusCode).toBe(200)
      return watched.asked.filter((name) => name.startsWith('members.'))
    }
    expect(await asks({})).toEqual([])
    expect(await asks(profile.owner.headers)).toEqual([])
    await profile.owner.put(profile.path, { visibility: 'private' })
    await expect.poll(async () => (await client(other).get(url)).statusCode).toBe(404)
    expect(await asks(profile.owner.headers)).toEqual([])
    expect(await asks(member.headers)).toEqual(['members.getRole'])
    expect(await asks(member.headers)).toEqual([])
    watched.asked.length = 0
    for (let round = 0; round < 2; round++) expect((await client(other).as(otherUser).get(url)).statusCode).toBe(404)
    expect(watched.asked.filter((name) => name.startsWith('members.'))).toHaveLength(1)
  })

  it('emits events with one account each', async () => {
    const start = await endOfLog(database.storage)
    const profile = await organization()
    const member = await newMember(app, profile, 'viewer')
    await profile.owner.put(`${profile.team}/${member.account.id}`, { role: 'editor' })
    await profile.owner.delete(`${profile.team}/${member.account.id}`)
    const { id: accountId } = member.account
    const events = await eventsAfter(database.storage, start, { profileId: profile.id })
    expect(events.filter(({ type }) => type.startsWith('teams.')).map(({ type, data }) => [type, data])).toEqual([
      ['teams.member_invited', { invitationId: expect.any(Number), role: 'viewer', byEmail: false }],
      ['teams.member_added', { accountId, role: 'viewer' }],
      ['teams.role_changed', { accountId, role: 'editor', previousRole: 'viewer' }],
      ['teams.member_removed', { accountId }],
    ])
  })
})

describe('an API key', () => {
  const withKey = async (person: Person, body: object): Promise<Person> => {
    const { headers } = await newKey(app, person.headers, body)
    return { ...person, ...client(app).with(headers), headers }
  }

  it('gives a key the permissions of its account, and none outside its profile', async () => {
    const [profile, other] = [
      await organization({ visibility: 'private' }),
      await organization({ visibility: 'private' }),
    ]
    const member = await newMember(app, profile, 'viewer')
    const { id } = (await inviteByName(other, member)).json()
    await accept(member, id)
    const scopes = ['read:profiles', 'read:content']
    const bound = await withKey(member, { scopes, profile_id: profile.id })
    const free = await withKey(member, { scopes })
    for (const key of [bound, free]) expect((await key.get(profile.team)).statusCode).toBe(200)
    expect((await free.get(other.team)).statusCode).toBe(200)
    expect((await bound.get(other.team)).statusCode).toBe(404)
    const user = (await bound.get('/auth/me')).json()
    expect(user.profiles).toMatchObject([{ id: profile.id, role: 'viewer' }])
    expect(user.active_profile_id).toBe(profile.id)

    await profile.owner.delete(`${profile.team}/${member.account.id}`)
    expect((await bound.get(profile.team)).statusCode).toBe(404)
  })

  it('lets an API key remove members and invitations, but not grant roles', async () => {
    const profile = await organization()
    const member = await newMember(app, profile, 'viewer')
    const { id } = (await invite(profile, { email: 'asked@example.com', role: 'viewer' })).json()
    const { headers } = await withKey(profile.owner, { scopes: ['write:profiles'] })
    const refused = [
      await client(app).with(headers).post(`${profile.team}/invites`, { email: 'x@example.com', role: 'admin' }),
      await client(app).with(headers).put(`${profile.team}/${member.account.id}`, { role: 'admin' }),
      await client(app).with(headers).post(`/team/invites/${id}/accept`),
      await client(app)
        .with(headers)
        .post(`/profiles/${profile.id}/transfers`, { recipient_username: member.account.username }),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
    expect((await client(app).with(headers).delete(`${profile.team}/invites/${id}`)).statusCode).toBe(200)
    expect((await client(app).with(headers).delete(`${profile.team}/${member.account.id}`)).statusCode).toBe(200)
  })
})
