import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { newPost } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { CONVERSATIONS } from '../support/messages.ts'
import { type RoutesOfActions, readRoleTable, type Send, testRoleTable } from '../support/role-table.ts'
import { shopGate } from '../support/shop.ts'
import { join, newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const WHO = ['an anonymous caller', 'another account', 'viewer', 'editor', 'admin', 'owner'] as const
type Who = (typeof WHO)[number]

let app: TestApp
let close: () => Promise<void>
let profile: OwnedProfile
let doomed: OwnedProfile
let named: OwnedProfile
const conversationId = randomUUID()
const people = new Map<Who, Person>()

beforeAll(async () => {
  const made = await createTestApp()
  app = made.app
  close = made.close
  profile = await newOrganization(app, undefined, { visibility: 'private' })
  doomed = await newOrganization(app, profile.owner)
  people.set('owner', profile.owner)
  people.set('another account', await signUp(app))
  named = await newOrganization(app, profile.owner)
  const sides = { profileId: profile.id, otherProfileId: named.id }
  await made.storage.transaction((tx) => tx.messages.open({ id: conversationId, ...sides, createdAt: new Date() }))
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    const member = await newMember(app, profile, role)
    people.set(role, member)
    for (const other of [doomed, named]) await join(other, member, role)
  }
})
afterAll(() => close())

const draft = async () =>
  (await profile.owner.post('/manage/pages', { profile_id: profile.id, title: 'A page', body: 'Text' })).json().id
const acting = () => ({ 'x-active-profile-id': String(profile.id) })
const category = async () =>
  (await profile.owner.post('/manage/categories', { profile_id: profile.id, name: 'Notes' })).json().id
const newFile = async () => {
  const parts = [field('username', profile.username), fileOf('Hello.')]
  return (await upload(app, parts, profile.owner.headers)).json().id
}
const did = () => encodeURIComponent(`did:web:profiles.example:o:${profile.username}`)

/** The routes that need each action. */
const ROUTES: RoutesOfActions = {
  'profile.read': {
    'GET /profiles/{prefix}/{username}': (send) => send('GET', profile.path),
    'GET /{prefix}/{username}': (send) => send('GET', `/o/${profile.username}`),
    'GET /{prefix}/{username}/content': (send) => send('GET', `/o/${profile.username}/content`),
    'GET /eep/gates/{did}': (send) => send('GET', `/eep/gates/${did()}`),
  },
  'profile.edit': {
    'PUT /profiles/{prefix}/{username}': (send) => send('PUT', profile.path, { bio: `Changed ${Math.random()}` }),
  },
  'profile.show': {
    'PUT /profiles/{id}/visibility': async (send) => {
      const path = `/profiles/${named.id}/visibility`
      await named.owner.put(path, { visibility: 'private' })
      return send('PUT', path, { visibility: 'unlisted' })
    },
  },
  'profile.rename': {
    'PUT /profiles/{prefix}/{username}': async (send) => {
      const username = `${named.username}-renamed`
      const response = await send('PUT', named.path, { username })
      if (response.statusCode === 200) await profile.owner.put(`/profiles/o/${username}`, { username: named.username })
      return response
    },
  },
  'profile.export': {
    'POST /export': (send) => send('POST', '/export', { profile_id: profile.id }),
    'GET /export': (send) => send('GET', `/export?profile_id=${profile.id}`),
  },
  'profile.delete': { 'DELETE /profiles/{prefix}/{username}': (send) => send('DELETE', doomed.path) },
  'profile.transfer': {
    'POST /profiles/{id}/transfers': (send) =>
      send('POST', `/profiles/${profile.id}/transfers`, {
        recipient_username: people.get('another account')?.account.username,
      }),
  },
  'team.read': { 'GET /profiles/{id}/team': (send) => send('GET', profile.team) },
  'team.manage': {
    'POST /profiles/{id}/team/invites': (send) =>
      send('POST', `${profile.team}/invites`, { email: 'guest@example.com', role: 'viewer' }),
    'PUT /profiles/{id}/team/{memberId}': (send) =>
      send('PUT', `${profile.team}/${people.get('viewer')?.account.id}`, { role: 'viewer' }),
    'DELETE /profiles/{id}/team/{memberId}': async (send) => {
      const member = await newMember(app, profile, 'viewer')
      return send('DELETE', `${profile.team}/${member.account.id}`)
    },
    'DELETE /profiles/{id}/team/invites/{inviteId}': async (send) => {
      const body = { email: 'another@example.com', role: 'viewer' }
      const { id } = (await profile.owner.post(`${profile.team}/invites`, body)).json()
      return send('DELETE', `${profile.team}/invites/${id}`)
    },
  },
  'gates.edit': { 'PUT /eep/gates/{did}': (send) => send('PUT', `/eep/gates/${did()}`, shopGate()) },
  'content.read_drafts': {
    'GET /manage/pages': (send) => send('GET', `/manage/pages?profile_id=${profile.id}`),
    'GET /manage/pages/{id}': async (send) => send('GET', `/manage/pages/${await draft()}`),
    'GET /manage/categories': (send) => send('GET', `/manage/categories?profile_id=${profile.id}`),
  },
  'content.edit': {
    'POST /manage/pages': (send) =>
      send('POST', '/manage/pages', { profile_id: profile.id, title: 'Another page', body: 'Text' }),
    'PUT /manage/pages/{id}': async (send) => send('PUT', `/manage/pages/${await draft()}`, { title: 'Retitled' }),
    'POST /manage/categories': (send) =>
      send('POST', '/manage/categories', { profile_id: profile.id, name: 'A category' }),
    'PUT /manage/categories/{id}': async (send) =>
      send('PUT', `/manage/categories/${await category()}`, { name: 'Renamed' }),
  },
  'content.publish': {
    'POST /manage/pages': (send) =>
      send('POST', '/manage/pages', { profile_id: profile.id, title: 'Out', body: 'Text', status: 'published' }),
    'PUT /manage/pages/{id}': async (send) => send('PUT', `/manage/pages/${await draft()}`, { status: 'published' }),
  },
  'content.delete': {
    'DELETE /manage/pages/{id}': async (send) => send('DELETE', `/manage/pages/${await draft()}`),
    'DELETE /manage/categories/{id}': async (send) => send('DELETE', `/manage/categories/${await category()}`),
  },
  'feed.post': {
    'DELETE /feed/{id}': async (send) => {
      return send('DELETE', `/feed/${(await newPost(profile.owner, 'To delete', acting())).id}`)
    },
  },
  'memory.use': {
    'GET /memory/sessions': (send) => send('GET', `/memory/sessions?profile_id=${profile.id}`),
    'POST /memory/sessions': (send) => send('POST', '/memory/sessions', { profile_id: profile.id, ttl_seconds: 60 }),
  },
  'files.list': { 'GET /manage/files': (send) => send('GET', `/manage/files?profile_id=${profile.id}`) },
  'files.edit': {
    'DELETE /manage/files/{id}': async (send) => send('DELETE', `/manage/files/${await newFile()}`),
    'PATCH /manage/files/{id}': async (send) => send('PATCH', `/manage/files/${await newFile()}`, { alt: 'A harbour' }),
  },
  'files.own': {
    'GET /files/list/{prefix}/{slug}': (send) => send('GET', `/files/list/o/${profile.username}`),
    'DELETE /files/{id}': async (send) => send('DELETE', `/files/${await newFile()}`),
  },
  'messages.read': {
    'GET /messages/conversations': (send) => send('GET', CONVERSATIONS, undefined, acting()),
    'GET /messages/conversations/{id}/messages': (send) =>
      send('GET', `${CONVERSATIONS}/${conversationId}/messages`, undefined, acting()),
  },
  'messages.send': {
    'POST /messages/conversations/{id}/block': (send) =>
      send('POST', `${CONVERSATIONS}/${conversationId}/block`, undefined, acting()),
  },
  'payments.read': {
    'GET /eep/payment/sales': (send) => send('GET', `/eep/payment/sales?profile_id=${profile.id}`),
    'GET /eep/payment/sales/report': (send) => send('GET', `/eep/payment/sales/report?profile_id=${profile.id}`),
    'GET /eep/payment/sales.csv': (send) => send('GET', `/eep/payment/sales.csv?profile_id=${profile.id}`),
    'GET /manage/entitlements': (send) => send('GET', `/manage/entitlements?profile_id=${profile.id}`),
  },
  // Refunds require a sale and are tested in sales.test.ts.
  'payments.refund': {},
  'apps.limit': {
    'PUT /manage/profiles/{id}/apps': (send) =>
      send('PUT', `/manage/profiles/${profile.id}/apps`, { apps: 'owner_only' }),
  },
  'audit.read': {
    'GET /eep/audit-log': (send) => send('GET', `/eep/audit-log?profile=${profile.id}`),
    'GET /eep/audit-log/verify': (send) => send('GET', `/eep/audit-log/verify?profile=${profile.id}`),
  },
}

const sendAs = (who: Who): Send => {
  const person = people.get(who)
  return person?.send ?? client(app).send
}

/** The status for each caller without permission: 403 for those who may see the profile, else 404. */
const refusal: Readonly<Record<Who, readonly number[]>> = {
  'an anonymous caller': [401, 404],
  'another account': [404],
  viewer: [403],
  editor: [403],
  admin: [403],
  owner: [],
}

testRoleTable({
  table: readRoleTable('teams', 'roles'),
  routes: ROUTES,
  // The owner comes last: some of it can be done once.
  who: WHO,
  sendAs,
  // These tests rename and remove public profiles.
  refusal: (who, action) =>
    who === 'another account' && ['profile.delete', 'profile.rename'].includes(action) ? [403] : refusal[who],
})
