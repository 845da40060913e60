import { beforeAll, expect } from 'vitest'
import { makeAdministrator, type Person, signUp } from '../support/accounts.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'
import { type Actions, newCallers, type Sender, testPermissions } from '../support/roles.ts'
import { newOrganization, type OwnedProfile } from '../support/teams.ts'

const { database, instance } = await openInstances(OPEN_FEED)
const app = await instance()

let team: OwnedProfile
let poster: Person
let administrator: Person
let callers: readonly Sender[] = []
const acting = () => ({ 'x-active-profile-id': String(team.id) })

beforeAll(async () => {
  team = await newOrganization(app)
  poster = await signUp(app)
  administrator = await signUp(app)
  await makeAdministrator(database, administrator)
  callers = await newCallers(app, team, administrator)
})

const teamPost = async () => (await newPost(team.owner, 'Of the team', acting())).id
const hiddenPost = async () => {
  const id = await teamPost()
  expect((await administrator.put(`/admin/feed/${id}`, { hidden: true })).statusCode).toBe(200)
  return id
}

const ACTIONS: Actions = {
  post: async (sender) => sender.post('/feed', { body: 'An update' }, acting()),
  delete: async (sender) => sender.delete(`/feed/${await teamPost()}`),
  'delete hidden': async (sender) => sender.delete(`/feed/${await hiddenPost()}`),
  like: async (sender) => sender.post(`/feed/${await teamPost()}/reactions`),
  'like hidden': async (sender) => sender.post(`/feed/${await hiddenPost()}/reactions`),
  hide: async (sender) => sender.put(`/admin/feed/${await teamPost()}`, { hidden: true }),
  'close posting': async (sender) => sender.put(`/admin/users/${poster.account.id}/posting`, { open: false }),
  'read following': async (sender) => sender.get('/feed/following', acting()),
}

/** The status of each action for each kind of caller, in the order of `testPermissions`. */
const TABLE = {
  post: [201, 201, 201, 403, 403, 403, 401, 403],
  delete: [200, 200, 200, 403, 403, 200, 401, 403],
  'delete hidden': [200, 200, 200, 403, 404, 200, 401, 403],
  like: [201, 201, 201, 201, 201, 201, 401, 403],
  'like hidden': [404, 404, 404, 404, 404, 404, 401, 403],
  hide: [403, 403, 403, 403, 403, 200, 401, 403],
  'close posting': [403, 403, 403, 403, 403, 200, 401, 403],
  'read following': [200, 200, 200, 200, 403, 403, 401, 403],
}

testPermissions(() => callers, ACTIONS, TABLE)
