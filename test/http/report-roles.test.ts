import { beforeAll, expect } from 'vitest'
import { makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { newPost, OPEN_FEED, type Post } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'
import { CONVERSATIONS, OPEN_MESSAGES } from '../support/messages.ts'
import { type Actions, newCallers, type Sender, testPermissions } from '../support/roles.ts'
import { newOrganization, type OwnedProfile } from '../support/teams.ts'

const { database, instance } = await openInstances({ ...OPEN_FEED, ...OPEN_MESSAGES })
const app = await instance()

let team: OwnedProfile
let other: Person
let administrator: Person
let ofTeam: Post
let ofOther: Post
let callers: readonly Sender[] = []
const acting = () => ({ 'x-active-profile-id': String(team.id) })

beforeAll(async () => {
  team = await newOrganization(app)
  await team.owner.put(team.path, { capabilities: ['contactable'] })
  other = await signUp(app)
  administrator = await signUp(app)
  await makeAdministrator(database, administrator)
  ofTeam = await newPost(team.owner, 'Of the team', acting())
  ofOther = await newPost(other, 'Of another profile')
  callers = await newCallers(app, team, administrator)
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

const ACTIONS: Actions = {
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

/** The status of each action for each kind of caller, in the order of `testPermissions`. */
const TABLE = {
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

testPermissions(() => callers, ACTIONS, TABLE)
