import { describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import {
  choose,
  follow,
  getNotifications,
  markRead,
  readNotifications,
  unfollow,
  untilNotified,
} from '../support/notifications.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { instance } = await openInstances()
const app = await instance()

const two = () => Promise.all([signUp(app), signUp(app)])
const three = () => Promise.all([signUp(app), signUp(app), signUp(app)])

/** Lets each of some people follow a person, and waits until all are counted. */
async function followed(whom: Person, by: readonly Person[]) {
  await Promise.all(by.map((each) => follow(each, whom)))
  return untilNotified(whom, (items) => {
    const [item] = items
    expect(item?.count).toBe(by.length)
    return item
  })
}

describe('the list of notifications', () => {
  it('lists notifications with a text, a link and the acting profile', async () => {
    const [ada, bert] = await two()
    const item = await followed(ada, [bert])
    const { username } = bert.account
    expect(item).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'follow',
      profile_id: ada.account.active_profile_id,
      title: `${username} followed ${ada.account.username}`,
      body: [],
      url: `https://profiles.example/u/${username}`,
      count: 1,
      actors: [
        {
          id: bert.account.active_profile_id,
          did: `did:web:profiles.example:u:${username}`,
          profile_type: 'person',
          username,
          url: `https://profiles.example/u/${username}`,
        },
      ],
      via: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      read_at: null,
    })
    const list = await readNotifications(ada)
    expect([list.pagination, list.unread_count]).toEqual([{ total: 1, has_more: false }, 1])
    expect((await readNotifications(bert)).data).toEqual([])
  })

  it('folds unread notifications with the same key, also when all events arrive concurrently', async () => {
    const [ada, others] = [await signUp(app), [...(await two()), ...(await three())]]
    const item = await followed(ada, others)
    expect(item).toMatchObject({ title: `5 profiles followed ${ada.account.username}`, count: 5, url: null })
    expect(item?.actors).toHaveLength(3)
    expect(await readNotifications(ada)).toMatchObject({ unread_count: 1, pagination: { total: 1 } })
  })

  it('counts a profile that follows again once, and starts another notification after the first was read', async () => {
    const [ada, bert, cleo] = await three()
    const first = await followed(ada, [bert])
    await unfollow(bert, ada)
    await follow(bert, ada)
    const again = await untilNotified(ada, ([item]) => {
      expect(item?.updated_at).not.toBe(first?.updated_at)
      return item
    })
    expect([again?.id, again?.count]).toEqual([first?.id, 1])
    expect((await markRead(ada, { all: true })).json()).toEqual({ marked: 1, unread_count: 0 })
    await follow(cleo, ada)
    await untilNotified(ada, (items) => {
      expect(items.map(({ count, read_at }) => [count, read_at !== null])).toEqual([
        [1, false],
        [1, true],
      ])
    })
    expect((await readNotifications(ada, '&unread=true')).data.map(({ actors }) => actors[0]?.username)).toEqual([
      cleo.account.username,
    ])
  })

  it('keeps pages in order while notifications are added', async () => {
    const [ada, bert] = await two()
    for (let round = 0; round < 3; round++) {
      await follow(bert, ada)
      await untilNotified(ada, (items) => expect(items).toHaveLength(round + 1))
      await markRead(ada, { all: true })
      await unfollow(bert, ada)
    }
    const whole = (await readNotifications(ada)).data.map(({ id }) => id)
    const first = await readNotifications(ada, '&limit=2')
    expect(first.data.map(({ id }) => id)).toEqual(whole.slice(0, 2))
    await follow(bert, ada)
    await untilNotified(ada, (items) => expect(items).toHaveLength(4))
    const second = await readNotifications(ada, `&limit=2&cursor=${first.pagination.next_cursor}`)
    expect(second.data.map(({ id }) => id)).toEqual(whole.slice(2))
    const refused = await getNotifications(ada, '&cursor=nonsense')
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'invalid_cursor'])
  })

  it('refuses a profile that is not the acting one', async () => {
    const [ada, bert] = await two()
    const acme = await newOrganization(app, ada)
    const ask = (who: Person, profileId: number, active?: number) =>
      who.get(
        `/notifications?profile_id=${profileId}`,
        active === undefined ? {} : { 'x-active-profile-id': String(active) },
      )
    const own = ada.account.active_profile_id
    expect((await ask(ada, own)).statusCode).toBe(200)
    expect((await ask(ada, acme.id, acme.id)).statusCode).toBe(200)
    for (const response of [await ask(ada, acme.id), await ask(ada, own, acme.id), await ask(bert, own)]) {
      expect([response.statusCode, codeOf(response)]).toEqual([403, 'not_active_profile'])
    }
    const foreign = await ask(bert, own, own)
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([403, 'not_profile_owner'])
    expect((await ada.get('/notifications')).statusCode).toBe(400)
  })

  it('notifies each member of a team whose role permits it', async () => {
    const acme = await newOrganization(app)
    const [editor, viewer, bert] = [
      await newMember(app, acme, 'editor'),
      await newMember(app, acme, 'viewer'),
      await signUp(app),
    ]
    await bert.post(`/connections/o/${acme.username}`)
    const kinds = async (who: Person) => (await readNotifications(who, '', acme.id)).data.map(({ kind }) => kind)
    await untilNotified(editor, (items) => expect(items.map(({ kind }) => kind)).toEqual(['follow']), acme.id)
    await untilNotified(acme.owner, (items) => expect(items.map(({ kind }) => kind)).toContain('follow'), acme.id)
    expect(await kinds(viewer)).toEqual([])
    await markRead(editor, { all: true }, acme.id)
    expect((await readNotifications(editor, '', acme.id)).unread_count).toBe(0)
    const [ofOwner] = (await readNotifications(acme.owner, '', acme.id)).data
    expect(ofOwner?.read_at).toBeNull()
    // The same account has nothing under another profile.
    const ofPerson = (await readNotifications(editor)).data.map(({ kind }) => kind)
    expect(ofPerson).not.toContain('follow')
  })
})

describe('reading notifications', () => {
  it('marks named notifications of the acting profile as read, once', async () => {
    const [ada, bert, cleo] = await three()
    const [ofAda, ofBert] = [await followed(ada, [cleo]), await followed(bert, [cleo])]
    const ids = [ofAda?.id, ofBert?.id]
    expect((await markRead(ada, { ids })).json()).toEqual({ marked: 1, unread_count: 0 })
    expect((await markRead(ada, { ids })).json()).toEqual({ marked: 0, unread_count: 0 })
    expect((await readNotifications(bert)).unread_count).toBe(1)
    for (const body of [{}, { ids: [] }, { all: false }, { ids, all: true }, { ids: ['x'] }]) {
      expect((await markRead(ada, body)).statusCode).toBe(400)
    }
  })

  it('counts each notification once when many requests mark it as read concurrently', async () => {
    const [ada, bert] = await two()
    await followed(ada, [bert])
    const answers = await Promise.all(Array.from({ length: 8 }, () => markRead(ada, { all: true })))
    const marked = answers.map((answer) => answer.json().marked)
    expect(marked.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  })
})

describe('preferences', () => {
  it('switches a kind off and on again for an account', async () => {
    const [ada, bert, cleo] = await three()
    const all = (await ada.get('/notifications/preferences')).json().preferences
    expect(all.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'app_connected',
      'app_spend_limit',
      'app_token_reused',
      'dispute',
      'follow',
      'job',
      'mention',
      'message',
      'negotiation',
      'plan',
      'publication_failed',
      'purchase',
      'refund',
      'reply',
      'review',
      'sale',
      'team',
      'team_invitation',
      'transfer',
      'undelivered',
      'webhook_created',
      'webhook_paused',
      'workspace',
      'workspace_invitation',
    ])
    const changed = await choose(ada, { kind: 'follow', in_app: false })
    expect(changed.json().preferences).toEqual(
      all.map((each: { kind: string }) => (each.kind === 'follow' ? { ...each, in_app: false } : each)),
    )
    await follow(bert, ada)
    await follow(bert, cleo)
    // Events are handled in order, so the first one has been handled.
    await untilNotified(cleo, (items) => expect(items).toHaveLength(1))
    expect(await readNotifications(ada)).toMatchObject({ data: [], unread_count: 0 })
    await choose(ada, { kind: 'follow', in_app: true })
    await follow(cleo, ada)
    await untilNotified(ada, (items) => expect(items).toHaveLength(1))
  })

  it('lets no API key of one profile change the preferences of the account', async () => {
    const ada = await signUp(app)
    const fields = { scopes: ['write:notifications'], profile_id: ada.account.active_profile_id }
    const { headers } = await newKey(app, ada.headers, fields)
    const preferences = [{ kind: 'follow', in_app: false }]
    const refused = await client(app).put('/notifications/preferences', { preferences }, headers)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'forbidden'])
  })

  it('refuses a preference for a kind that the service does not have', async () => {
    const ada = await signUp(app)
    const refused = await choose(ada, { kind: 'follow', in_app: false }, { kind: 'nonsense', in_app: false })
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'unknown_notification_kind'])
    const { preferences } = (await ada.get('/notifications/preferences')).json()
    expect(preferences.every((each: { in_app: boolean }) => each.in_app)).toBe(true)
  })
})

describe('names in notifications', () => {
  it('hides the names of private and deleted profiles', async () => {
    const [ada, bert] = await two()
    const acme = await newOrganization(app, bert)
    const as = { 'x-active-profile-id': String(acme.id) }
    await bert.post(`/connections/u/${ada.account.username}`, undefined, as)
    await untilNotified(ada, ([item]) => expect(item?.title).toContain(acme.username))
    await bert.put(`/profiles/${acme.id}/visibility`, { visibility: 'private' })
    const [hidden] = (await readNotifications(ada)).data
    expect(hidden).toMatchObject({ title: `A profile followed ${ada.account.username}`, actors: [], url: null })
    await bert.delete(acme.path)
    expect(await readNotifications(ada)).toMatchObject({ data: [], unread_count: 0 })
  })
})

describe('API keys', () => {
  it('shows the key of one profile no notifications of the account', async () => {
    const acme = await newOrganization(app)
    const ada = await signUp(app)
    await acme.owner.post(`${acme.team}/invites`, { username: ada.account.username, role: 'viewer' })
    await untilNotified(ada, (items) => expect(items.map(({ kind }) => kind)).toEqual(['team_invitation']))
    const own = ada.account.active_profile_id
    const key = await newKey(app, ada.headers, { scopes: ['read:notifications'], profile_id: own })
    const list = (await client(app).get(`/notifications?profile_id=${own}`, key.headers)).json()
    expect(list).toMatchObject({ data: [], unread_count: 0 })
  })
})
