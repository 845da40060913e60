import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { type Client, client } from '../support/client.ts'
import { newPost, OPEN_FEED, type Post } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'
import { CONVERSATIONS, OPEN_MESSAGES } from '../support/messages.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const { database, instance } = await openInstances({ ...OPEN_FEED, ...OPEN_MESSAGES })
const app = await instance()

type Sender = Pick<Client, 'get' | 'post' | 'put' | 'delete'>

let team: OwnedProfile
let other: Person
let administrator: Person
let ofTeam: Post
let ofOther: Post
const callers = new Map<string, Sender>()
const acting = () => ({ 'x-active-profile-id': String(team.id) })

beforeAll(async () => {
  team = await newOrganization(app)
  await team.owner.put(team.path, { capabilities: ['contactable'] })
  other = await signUp(app)
  administrator = await signUp(app)
  await database.storage.transaction((tx) => tx.accounts.save(administrator.account.id, { isAdmin: true }))
  ofTeam = await newPost(team.owner, 'Of the team', acting())
  ofOther = await newPost(other, 'Of another profile')
  callers.set('owner', team.owner)
  for (const role of ['admin', 'editor', 'viewer'] as const) callers.set(role, await newMember(app, team, role))
  callers.set('stranger', await signUp(app))
  callers.set('administrator', administrator)
  callers.set('anonymous', client(app))
  const { key } = await newKey(app, team.owner.headers, { scopes: ['read:profiles'] })
  callers.set('key without scope', client(app, { 'x-api-key': key }))
})

/** A conversation of the team with a message of another profile. */
async function conversation() {
  const opened = await other.post(CONVERSATIONS, { to: team.id, body: 'Buy now' })
  expect(opened.statusCode, opened.body).toBe(201)
  return { id: opened.json().conversation.id, messageId: opened.json().message.id }
}

/** A new report of an account that reports nothing else. */
async function report(): Promise<string> {
  const made = await (await signUp(app)).post(`/feed/${ofOther.id}/report`, { reason: 'Spam' })
  expect(made.statusCode, made.body).toBe(201)
  return made.json().id
}

const ACTIONS: Readonly<Record<string, (sender: Sender) => Promise<{ readonly statusCode: number }>>> = {
  'report a conversation': async (sender) =>
    sender.post(`${CONVERSATIONS}/${(await conversation()).id}/report`, { reason: 'Spam' }, acting()),
  'report a message': async (sender) => {
    const { id, messageId } = await conversation()
    return sender.post(`${CONVERSATIONS}/${id}/report`, { reason: 'Spam', message_id: messageId }, acting())
  },
  'report a post of the team': (sender) => sender.post(`/feed/${ofTeam.id}/report`, { reason: 'Spam' }),
  'report a post of another profile': (sender) => sender.post(`/feed/${ofOther.id}/report`, { reason: 'Spam' }),
  'list reports': (sender) => sender.get('/admin/reports'),
  'read a report': async (sender) => sender.get(`/admin/reports/${await report()}`),
  'decide a report': async (sender) => sender.put(`/admin/reports/${await report()}`, { status: 'resolved' }),
  'list notifications of the team': (sender) => sender.get(`/notifications?profile_id=${team.id}`, acting()),
  'mark notifications of the team as read': (sender) => sender.post('/notifications/read', { all: true }, acting()),
  'read preferences': (sender) => sender.get('/notifications/preferences'),
  'change preferences': (sender) =>
    sender.put('/notifications/preferences', { preferences: [{ kind: 'follow', in_app: true }] }),
}

const COLUMNS = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'administrator', 'anonymous', 'key without scope']

/** The status of each action for the callers in the order of the columns. */
const TABLE: Readonly<Record<string, readonly number[]>> = {
  'report a conversation': [201, 201, 201, 403, 403, 403, 401, 403],
  'report a message': [201, 201, 201, 403, 403, 403, 401, 403],
  'report a post of the team': [400, 400, 400, 400, 201, 201, 401, 403],
  'report a post of another profile': [201, 201, 201, 201, 201, 201, 401, 403],
  'list reports': [403, 403, 403, 403, 403, 200, 401, 403],
  'read a report': [403, 403, 403, 403, 403, 200, 401, 403],
  'decide a report': [403, 403, 403, 403, 403, 200, 401, 403],
  'list notifications of the team': [200, 200, 200, 200, 403, 403, 401, 403],
  'mark notifications of the team as read': [200, 200, 200, 200, 403, 403, 401, 403],
  'read preferences': [200, 200, 200, 200, 200, 200, 401, 403],
  'change preferences': [200, 200, 200, 200, 200, 200, 401, 403],
}

describe.each(Object.keys(ACTIONS))('permission to %s', (action) => {
  it.each(COLUMNS.map((name, column) => [name, TABLE[action]?.[column]] as const))(
    'for %s: status %i',
    async (name, expected) => {
      const sender = callers.get(name)
      if (!sender) throw new Error(`No caller is ${name}`)
      const response = await ACTIONS[action]?.(sender)
      expect(response?.statusCode).toBe(expected)
    },
  )
})
