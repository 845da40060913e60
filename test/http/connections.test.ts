import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, newName, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import type { TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { countedStorage } from '../support/counted-storage.ts'
import { openInstances } from '../support/instances.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { database, instance } = await openInstances()
const app = await instance()

const addressOf = (person: Person) => `/connections/u/${person.account.username}`
const follow = (who: Person, whom: Person) => who.post(addressOf(whom))
const unfollow = (who: Person, whom: Person) => who.delete(addressOf(whom))
const as = (headers: Record<string, string>, profileId: number) => ({
  ...headers,
  'x-active-profile-id': String(profileId),
})

async function names(who: Person, side: 'followers' | 'following', profileId?: number): Promise<string[]> {
  const headers = profileId === undefined ? who.headers : as(who.headers, profileId)
  const response = await client(app).get(`/connections/${side}`, headers)
  expect(response.statusCode, response.body).toBe(200)
  const { data, pagination } = response.json()
  expect(pagination.total).toBe(data.length)
  return data.map(({ username }: { username: string }) => username)
}

/** The events of connections after a cursor, and which profile each is about. */
const emittedEvents = async (after: string) =>
  (await eventsAfter(database.storage, after))
    .filter(({ type }) => type.startsWith('connections.'))
    .map(({ type, profileId, accountId, data }) => ({ type, profileId, accountId, data }))

describe('following a profile', () => {
  it('lists a connection once on both sides until it ends', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const first = await follow(ada, bert)
    expect(first.statusCode, first.body).toBe(201)
    const { username } = bert.account
    expect(first.json()).toEqual({
      follower: expect.objectContaining({ id: ada.account.active_profile_id, username: ada.account.username }),
      followee: {
        id: bert.account.active_profile_id,
        did: `did:web:profiles.example:u:${username}`,
        profile_type: 'person',
        username,
        full_name: null,
        avatar_url: null,
        trust_score: 0,
        url: `https://profiles.example/u/${username}`,
      },
    })
    const again = await follow(ada, bert)
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])

    expect([await names(ada, 'following'), await names(ada, 'followers')]).toEqual([[username], []])
    expect([await names(bert, 'following'), await names(bert, 'followers')]).toEqual([[], [ada.account.username]])
    const [listed] = (await ada.get('/connections/following')).json().data
    expect(listed).toEqual({ ...first.json().followee, followed_at: expect.any(String) })

    for (let time = 0; time < 2; time++) {
      const ended = await unfollow(ada, bert)
      expect([ended.statusCode, ended.json()]).toEqual([200, { success: true }])
    }
    expect([await names(ada, 'following'), await names(bert, 'followers')]).toEqual([[], []])
  })

  it('emits one event when a profile is followed, and one when it is unfollowed', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const start = await endOfLog(database.storage)
    const made = await Promise.all(Array.from({ length: 8 }, () => follow(ada, bert)))
    expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(7).fill(200), 201])
    await Promise.all(Array.from({ length: 8 }, () => unfollow(ada, bert)))
    const data = {
      followerProfileId: ada.account.active_profile_id,
      followeeProfileId: bert.account.active_profile_id,
    }
    const about = { profileId: ada.account.active_profile_id, accountId: ada.account.id, data }
    expect(await emittedEvents(start)).toEqual([
      { type: 'connections.profile_followed', ...about },
      { type: 'connections.profile_unfollowed', ...about },
    ])
  })

  it('reads nothing of the followed profile but its name, its picture and its gate', async () => {
    const { calls, storage } = countedStorage(database.storage)
    const other = await instance({ storage })
    const [ada, bert] = [await signUp(other), await signUp(other)]
    calls.length = 0
    expect((await follow(ada, bert)).statusCode).toBe(201)
    expect(calls).toContain('gates.get')
    const inDocuments = /^(pages|categories|feed|files|listings|smartSections)\./
    expect(calls.filter((call) => inDocuments.test(call))).toEqual([])
  })

  it.each(['follow', 'unfollow'] as const)('lets no member %s who leaves the team meanwhile', async (what) => {
    const acme = await newOrganization(app)
    const [editor, bert] = [await newMember(app, acme, 'editor'), await signUp(app)]
    const headers = as(editor.headers, acme.id)
    const send = (where: TestApp, verb: 'POST' | 'DELETE') =>
      client(where).send(verb, addressOf(bert), undefined, headers)
    if (what === 'unfollow') expect((await send(app, 'POST')).statusCode).toBe(201)
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { read } = database.storage
    const getRole: typeof read.members.getRole = async (...of) => {
      const role = await read.members.getRole(...of)
      reached.resolve()
      await released.promise
      return role
    }
    const members = { ...read.members, getRole }
    const slow = await instance({ storage: { ...database.storage, read: { ...read, members } } })
    const request = send(slow, what === 'follow' ? 'POST' : 'DELETE')
    await reached.promise
    await database.storage.transaction((tx) => tx.members.delete(acme.id, editor.account.id))
    released.resolve()
    expect(codeOf(await request)).toBe('not_profile_owner')
    expect(await names(acme.owner, 'following', acme.id)).toEqual(what === 'follow' ? [] : [bert.account.username])
  })

  it('lets an account follow as many profiles as its plan allows, and one more after it unfollowed one', async () => {
    const limited = await instance({ limits: { plans: { community: { maxFollows: 2 } } } })
    const ada = await signUp(limited)
    const [bert, cleo, dora] = [await signUp(limited), await signUp(limited), await signUp(limited)]
    for (const whom of [bert, cleo]) expect((await follow(ada, whom)).statusCode).toBe(201)
    const refused = await follow(ada, dora)
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'follow_limit_reached'])
    expect(refused.json().error.details).toEqual({ max_follows: 2 })
    expect(await names(ada, 'following')).toEqual([cleo.account.username, bert.account.username])
    await unfollow(ada, bert)
    expect((await follow(ada, dora)).statusCode).toBe(201)
  })

  it('does not let a profile follow itself', async () => {
    const ada = await signUp(app)
    for (const response of [await follow(ada, ada), await unfollow(ada, ada)]) {
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'cannot_follow_itself'])
    }
  })

  it('returns 404 for private, deleted and unknown profiles', async () => {
    const ada = await signUp(app)
    const secret = await newOrganization(app, undefined, { visibility: 'private' })
    for (const address of [`o/${secret.username}`, 'u/unknown-name', 'zz/ada', `o/${ada.account.username}`]) {
      for (const method of ['POST', 'DELETE'] as const) {
        const response = await ada.send(method, `/connections/${address}`)
        expect([response.statusCode, codeOf(response)], `${method} ${address}`).toEqual([404, 'profile_not_found'])
      }
    }
  })
})

describe('the profile that acts', () => {
  it('acts as the requested profile, if the caller may edit it', async () => {
    const target = await signUp(app)
    const organization = await newOrganization(app)
    const { owner, id, username } = organization
    const send = (headers: Record<string, string>) => client(app).with(as(headers, id)).post(addressOf(target))

    expect((await send((await newMember(app, organization, 'viewer')).headers)).statusCode).toBe(403)
    expect((await send((await signUp(app)).headers)).statusCode).toBe(403)
    expect(await names(target, 'followers')).toEqual([])
    expect((await send((await newMember(app, organization, 'editor')).headers)).statusCode).toBe(201)
    expect((await send(owner.headers)).statusCode).toBe(200)
    expect(await names(target, 'followers')).toEqual([username])
    expect(await names(owner, 'following', id)).toEqual([target.account.username])
    expect(await names(owner, 'following')).toEqual([])
  })

  it('shows the profiles that a profile follows to its team only', async () => {
    const organization = await newOrganization(app)
    const viewer = await newMember(app, organization, 'viewer')
    expect(await names(viewer, 'followers', organization.id)).toEqual([])
    const otherUser = await signUp(app)
    for (const side of ['followers', 'following']) {
      const headers = as(otherUser.headers, organization.id)
      expect((await client(app).get(`/connections/${side}`, headers)).statusCode).toBe(403)
    }
  })

  it('acts as the profile of a key for one profile', async () => {
    const target = await signUp(app)
    const { owner, id, username } = await newOrganization(app)
    const scopes = ['read:connections', 'write:connections']
    const { headers } = await newKey(app, owner.headers, { profile_id: id, scopes })
    const url = addressOf(target)
    expect((await client(app).with(headers).post(url)).statusCode).toBe(201)
    expect(await names(target, 'followers')).toEqual([username])
    const elsewhere = as(headers, owner.account.active_profile_id)
    expect((await client(app).with(elsewhere).post(url)).statusCode).toBe(403)
    expect((await client(app).with(headers).get('/connections/following')).json().data).toHaveLength(1)
  })

  it.each(['0', '-1', '1.5', 'ada', ''])('rejects "%s" as the acting profile', async (id) => {
    const { headers } = await signUp(app)
    const response = await client(app).get('/connections/followers', { ...headers, 'x-active-profile-id': id })
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
  })
})

describe('the lists of connections', () => {
  it('pages through connections, latest first, while others are added', async () => {
    const star = await signUp(app)
    const fans: string[] = []
    const join = async () => {
      const fan = await signUp(app)
      await follow(fan, star)
      fans.unshift(fan.account.username)
    }
    for (let count = 0; count < 5; count++) await join()
    const wanted = [...fans]
    const seen: string[] = []
    let cursor = ''
    do {
      const { data, pagination } = (await star.get(`/connections/followers?limit=2${cursor}`)).json()
      seen.push(...data.map(({ username }: { username: string }) => username))
      cursor = pagination.has_more ? `&cursor=${pagination.next_cursor}` : ''
      await join()
    } while (cursor)
    expect(seen).toEqual(wanted)
    const wrong = await star.get('/connections/followers?cursor=nonsense')
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([400, 'invalid_cursor'])
  })

  it('shows neither private profiles nor those of accounts that are being deleted', async () => {
    const [star, leaver] = [await signUp(app), await signUp(app)]
    const shy = await newOrganization(app)
    await follow(leaver, star)
    await follow(star, leaver)
    await client(app).with(as(shy.owner.headers, shy.id)).post(addressOf(star))
    expect(await names(star, 'followers')).toEqual([shy.username, leaver.account.username])
    await shy.owner.put(`/profiles/${shy.id}/visibility`, { visibility: 'private' })
    expect(await names(star, 'followers')).toEqual([leaver.account.username])
    expect((await leaver.send('DELETE', '/auth/account', { password: PASSWORD })).statusCode).toBe(200)
    expect([await names(star, 'followers'), await names(star, 'following')]).toEqual([[], []])
  })

  it('shows the current name of a profile', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    await follow(ada, bert)
    const username = newName()
    const before = addressOf(bert)
    const renamed = await bert.put(`/profiles/u/${bert.account.username}`, { username })
    expect(renamed.statusCode, renamed.body).toBe(200)
    expect(await names(ada, 'following')).toEqual([username])
    const moved = await ada.post(before)
    expect([moved.statusCode, moved.headers.location]).toEqual([308, `/connections/u/${username}`])
  })
})
