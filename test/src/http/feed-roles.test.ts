import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { type Client, client } from '../support/client.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const { database, instance } = await openInstances(OPEN_FEED)
const app = await instance()

type Sender = Pick<Client, 'get' | 'post' | 'put' | 'delete'>

let team: OwnedProfile
let poster: Person
let administrator: Person
const callers = new Map<string, Sender>()
const acting = () => ({ 'x-active-profile-id': String(team.id) })

beforeAll(async () => {
  team = await newOrganization(app)
  poster = await signUp(app)
  administrator = await signUp(app)
  await database.storage.transaction((tx) => tx.accounts.save(administrator.account.id, { isAdmin: true }))
  callers.set('owner', team.owner)
  for (const role of ['admin', 'editor', 'viewer'] as const) callers.set(role, await newMember(app, team, role))
  callers.set('stranger', await signUp(app))
  callers.set('administrator', administrator)
  callers.set('anonymous', client(app))
  const { key } = await newKey(app, team.owner.headers, { scopes: ['read:profiles'] })
  callers.set('key without scope', client(app, { 'x-api-key': key }))
})

const teamPost = async () => (await newPost(team.owner, 'Of the team', acting())).id
const hiddenPost = async () => {
  const id = await teamPost()
  expect((await administrator.put(`/admin/feed/${id}`, { hidden: true })).statusCode).toBe(200)
  return id
}

const ACTIONS: Readonly<Record<string, (sender: Sender) => Promise<{ readonly statusCode: number }>>> = {
  post: async (sender) => sender.post('/feed', { body: 'An update' }, acting()),
  delete: async (sender) => sender.delete(`/feed/${await teamPost()}`),
  'delete hidden': async (sender) => sender.delete(`/feed/${await hiddenPost()}`),
  like: async (sender) => sender.post(`/feed/${await teamPost()}/reactions`),
  'like hidden': async (sender) => sender.post(`/feed/${await hiddenPost()}/reactions`),
  hide: async (sender) => sender.put(`/admin/feed/${await teamPost()}`, { hidden: true }),
  'close posting': async (sender) => sender.put(`/admin/users/${poster.account.id}/posting`, { open: false }),
  'read following': async (sender) => sender.get('/feed/following', acting()),
}

const COLUMNS = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'administrator', 'anonymous', 'key without scope']

/** The status of each action for the callers in the order of the columns. */
const TABLE: Readonly<Record<string, readonly number[]>> = {
  post: [201, 201, 201, 403, 403, 403, 401, 403],
  delete: [200, 200, 200, 403, 403, 200, 401, 403],
  'delete hidden': [200, 200, 200, 403, 404, 200, 401, 403],
  like: [201, 201, 201, 201, 201, 201, 401, 403],
  'like hidden': [404, 404, 404, 404, 404, 404, 401, 403],
  hide: [403, 403, 403, 403, 403, 200, 401, 403],
  'close posting': [403, 403, 403, 403, 403, 200, 401, 403],
  'read following': [200, 200, 200, 200, 403, 403, 401, 403],
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
