import { beforeAll } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import { type RoutesOfActions, readRoleTable, type Send, testRoleTable } from '../support/role-table.ts'
import { joinWorkspace, newWorkspace, newWorkspaceMember, type OwnedWorkspace } from '../support/workspaces.ts'

const WHO = ['an anonymous caller', 'another account', 'reader', 'editor', 'admin', 'owner'] as const
type Who = (typeof WHO)[number]

const { instance } = await openInstances()
const app = await instance()

let workspace: OwnedWorkspace
let doomed: OwnedWorkspace
const people = new Map<Who, Person>()

beforeAll(async () => {
  workspace = await newWorkspace(app)
  doomed = await newWorkspace(app, workspace.owner)
  people.set('owner', workspace.owner)
  people.set('another account', await signUp(app))
  for (const role of ['reader', 'editor', 'admin'] as const) {
    const member = await newWorkspaceMember(app, workspace, role)
    people.set(role, member)
    await joinWorkspace(doomed, member, role)
  }
})

const idOf = (who: Who) => people.get(who)?.account.id
const invite = async (email: string) =>
  (await workspace.owner.post(`${workspace.path}/invites`, { email, role: 'reader' })).json().id

const document = async () => {
  const { id } = (await workspace.owner.post(`${workspace.path}/documents`, { title: 'On the engine' })).json()
  return `${workspace.path}/documents/${id}`
}

const ROUTES: RoutesOfActions = {
  'workspace.read': {
    'GET /workspaces/{id}': (send) => send('GET', workspace.path),
    'GET /workspaces/{id}/members': (send) => send('GET', `${workspace.path}/members`),
    'GET /workspaces/{id}/activity': (send) => send('GET', `${workspace.path}/activity`),
    'GET /workspaces/{id}/documents': (send) => send('GET', `${workspace.path}/documents`),
    'GET /workspaces/{id}/documents/{docId}': async (send) => send('GET', await document()),
    'GET /workspaces/{id}/documents/{docId}/versions': async (send) => send('GET', `${await document()}/versions`),
    'GET /workspaces/{id}/documents/{docId}/versions/{version}': async (send) =>
      send('GET', `${await document()}/versions/1`),
    'GET /workspaces/{id}/documents/{docId}/versions/{version}/diff': async (send) =>
      send('GET', `${await document()}/versions/1/diff`),
    'GET /workspaces/{id}/documents/{docId}/comments': async (send) => send('GET', `${await document()}/comments`),
  },
  'workspace.edit': {
    'PUT /workspaces/{id} with a name': (send) => send('PUT', workspace.path, { name: 'Other notes' }),
  },
  'workspace.rename': {
    'PUT /workspaces/{id} with a slug': (send) => send('PUT', workspace.path, { slug: 'other-notes' }),
  },
  'workspace.delete': { 'DELETE /workspaces/{id}': (send) => send('DELETE', doomed.path) },
  'members.manage': {
    'GET /workspaces/{id}/invites': (send) => send('GET', `${workspace.path}/invites`),
    'POST /workspaces/{id}/invites': (send) =>
      send('POST', `${workspace.path}/invites`, { email: 'guest@example.com', role: 'reader' }),
    'DELETE /workspaces/{id}/invites/{inviteId}': async (send) =>
      send('DELETE', `${workspace.path}/invites/${await invite('another@example.com')}`),
    'PUT /workspaces/{id}/members/{memberId}': (send) =>
      send('PUT', `${workspace.path}/members/${idOf('reader')}`, { role: 'reader' }),
    'DELETE /workspaces/{id}/members/{memberId}': async (send) => {
      const member = await newWorkspaceMember(app, workspace, 'reader')
      return send('DELETE', `${workspace.path}/members/${member.account.id}`)
    },
  },
  'documents.edit': {
    'POST /workspaces/{id}/documents': (send) => send('POST', `${workspace.path}/documents`, { title: 'Another' }),
    'PUT /workspaces/{id}/documents/{docId}': async (send) => send('PUT', await document(), { title: 'Retitled' }),
    'POST /workspaces/{id}/documents/{docId}/versions/{version}/restore': async (send) =>
      send('POST', `${await document()}/versions/1/restore`),
  },
  'documents.delete': {
    'DELETE /workspaces/{id}/documents/{docId}': async (send) => send('DELETE', await document()),
  },
  // Publishing also needs a permission in a profile, and is tested in workspace-documents.test.ts.
  'documents.publish': {},
  'documents.comment': {
    'POST /workspaces/{id}/documents/{docId}/comments': async (send) =>
      send('POST', `${await document()}/comments`, { body: 'Well said' }),
  },
  'comments.moderate': {
    'DELETE /workspaces/{id}/documents/{docId}/comments/{commentId}': async (send) => {
      const author = people.get('reader')
      const url = `${await document()}/comments`
      const { id } =
        (await (send === author?.send ? workspace.owner : author)?.post(url, { body: 'Mine' }))?.json() ?? {}
      // The owner comments where the reader deletes, so that no one deletes an own comment.
      return send('DELETE', `${url}/${id}`)
    },
  },
  'owners.manage': {
    'PUT /workspaces/{id}/members/{memberId} of an owner': async (send) => {
      const member = await newWorkspaceMember(app, workspace, 'owner')
      return send('PUT', `${workspace.path}/members/${member.account.id}`, { role: 'reader' })
    },
    'PUT /workspaces/{id}/members/{memberId} to owner': async (send) => {
      const member = await newWorkspaceMember(app, workspace, 'reader')
      return send('PUT', `${workspace.path}/members/${member.account.id}`, { role: 'owner' })
    },
    'DELETE /workspaces/{id}/members/{memberId} of an owner': async (send) => {
      const member = await newWorkspaceMember(app, workspace, 'owner')
      return send('DELETE', `${workspace.path}/members/${member.account.id}`)
    },
  },
}

/** Workspaces are private: accounts that are not members learn nothing of them. */
const REFUSAL: Readonly<Record<Who, readonly number[]>> = {
  'an anonymous caller': [401],
  'another account': [404],
  reader: [403],
  editor: [403],
  admin: [403],
  owner: [],
}

const sendAs = (who: Who): Send => people.get(who)?.send ?? client(app).send

testRoleTable({
  table: readRoleTable('workspaces', 'workspace-roles'),
  routes: ROUTES,
  // The owner comes last: a workspace is deleted once.
  who: WHO,
  sendAs,
  refusal: (who) => REFUSAL[who],
})
