import { expect, it } from 'vitest'
import { didOf, type Person, signUp } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { newPost, OPEN_FEED } from '../support/feed.ts'
import { openInstances } from '../support/instances.ts'
import { find, pathsOf, searchUrl } from '../support/search.ts'
import type { Envelope } from '../support/streams.ts'
import { join } from '../support/teams.ts'
import { soon } from '../support/wait.ts'

const { database, instance } = await openInstances({ ...OPEN_FEED, limits: { rateLimit: { multiplier: 1_000 } } })
const app = await instance({ withSearch: true })

/** What an account reads in the history, by default about searches. */
async function historyOf(who: Person, type = 'agent.access.search'): Promise<readonly Envelope[]> {
  const response = await who.get(`/eep/events?limit=1000&types=${type}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().events
}

/** Waits until anonymous searches find some paths. */
const untilFound = (q: string, paths: readonly string[]) =>
  soon(async () => expect([...(await pathsOf(app, q))].sort()).toEqual([...paths].sort()))

const searchAs = (agent: TestAgent, q: string) => find(app, q, {}, agent.sign({ path: searchUrl(q) }))

it('reports a search of an agent to the team of each profile that it returns, once for each', async () => {
  const [owner, other, unfound] = [await createWriter(app), await createWriter(app), await createWriter(app)]
  const viewer = await signUp(app)
  await join({ owner, id: owner.profileId, team: `/profiles/${owner.profileId}/team` }, viewer, 'viewer')
  const best = await owner.newPage({ title: 'Zelkova', body: 'A zelkova is a tree.' })
  const second = await owner.newPage({ title: 'Trees', body: 'One is the zelkova.' })
  const ofOther = await other.newPage({ title: 'Woods', body: 'There is a zelkova.' })
  const draft = await unfound.newPage({ title: 'A hidden zelkova', status: 'draft' })
  await untilFound('zelkova', [best.path, second.path, ofOther.path])

  const agent = keyAgent()
  const [first] = (await searchAs(agent, 'zelkova')).data
  expect(first?.path).toBe(best.path)
  const data = {
    entity_id: owner.profileId,
    agent_did: agent.did,
    bot: null,
    agent_id: expect.stringMatching(/^[\w-]{22}$/),
    verified: true,
    resource: 'content.zelkova',
    path: best.path,
  }
  await soon(async () => expect(await historyOf(other)).toHaveLength(1))
  const expected = { source: didOf(owner), subject: best.path, data }
  for (const who of [owner, viewer]) expect(await historyOf(who)).toEqual([expect.objectContaining(expected)])
  const [seen] = await historyOf(other)
  expect(seen).toMatchObject({ source: didOf(other), data: { resource: 'content.woods', path: ofOther.path } })
  // The words of a search are the agent's own.
  expect(JSON.stringify(seen)).not.toContain('zelkova')
  expect(seen?.data.agent_id).not.toBe((await historyOf(owner))[0]?.data.agent_id)
  expect(await historyOf(unfound)).toEqual([])
  expect(JSON.stringify(await historyOf(owner, '*'))).not.toContain(draft.path)
})

it('reports an agent and a resource once a minute, apart from what the agent reads', async () => {
  const owner = await createWriter(app)
  const page = await owner.newPage({ title: 'Wisteria' })
  await untilFound('wisteria', [page.path])
  const [one, two] = [keyAgent(), keyAgent()]
  for (const agent of [one, one, one, two]) await searchAs(agent, 'wisteria')
  expect((await client(app).get(page.path, one.sign({ path: page.path }))).statusCode).toBe(200)
  await soon(async () => expect(await historyOf(owner, 'agent.access.read')).toHaveLength(1))
  const [read] = await historyOf(owner, 'agent.access.read')
  const found = await historyOf(owner)
  expect(found.map(({ data }) => data.agent_did).sort()).toEqual([one.did, two.did].sort())
  expect(found.find(({ data }) => data.agent_did === one.did)?.data.agent_id).toBe(read?.data.agent_id)
})

it('names the profile, and no resource for a post', async () => {
  const [ada, bert] = [await createWriter(app), await createWriter(app)]
  await ada.put(`/profiles/u/${ada.account.username}`, { bio: 'Grows yarrow' })
  const post = await newPost(bert, 'Yarrow is out')
  const path = `/feed/posts/${post.id}`
  await untilFound('yarrow', [`/u/${ada.account.username}`, path])
  await searchAs(keyAgent(), 'yarrow')
  await soon(async () => expect(await historyOf(bert)).toMatchObject([{ data: { resource: null, path } }]))
  expect(await historyOf(ada)).toMatchObject([{ data: { resource: 'profile', path: `/u/${ada.account.username}` } }])
})

it('reports clients with an API key, but neither people nor the owner', async () => {
  const [owner, other] = [await createWriter(app), await createWriter(app)]
  const page = await owner.newPage({ title: 'Xerophyte' })
  await untilFound('xerophyte', [page.path])
  const scopes = ['read:content', 'read:profiles']
  const [key, ownKey] = [await newKey(app, other.headers, { scopes }), await newKey(app, owner.headers, { scopes })]
  for (const headers of [{}, other.headers, owner.headers, ownKey.headers, key.headers]) {
    expect((await find(app, 'xerophyte', {}, headers)).data).toHaveLength(1)
  }
  await soon(async () =>
    expect(await historyOf(owner)).toMatchObject([{ data: { agent_did: null, verified: false, path: page.path } }]),
  )
  expect(JSON.stringify(await historyOf(owner))).not.toContain(other.account.username)
})

it('reports nothing without the module', async () => {
  const without = await instance({
    storage: database.another(),
    withSearch: true,
    agentAccess: false,
  })
  const owner = await createWriter(app)
  const page = await owner.newPage({ title: 'Valerian' })
  await untilFound('valerian', [page.path])
  const [unseen, seen] = [keyAgent(), keyAgent()]
  const path = searchUrl('valerian')
  expect((await find(without, 'valerian', {}, unseen.sign({ path }))).data).toHaveLength(1)
  await without.close()
  await searchAs(seen, 'valerian')
  await soon(async () => expect(await historyOf(owner)).toMatchObject([{ data: { agent_did: seen.did } }]))
})
