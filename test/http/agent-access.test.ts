import { describe, expect, it, vi } from 'vitest'
import { didOf, type Person, signUp } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createWriter } from '../support/content.ts'
import { SURFACES } from '../support/event-surfaces.ts'
import { openInstances } from '../support/instances.ts'
import { openShop } from '../support/shop.ts'
import { type Envelope, listen } from '../support/streams.ts'
import { join } from '../support/teams.ts'
import { LONG } from '../support/wait.ts'

const OPTIONS = {
  signals: { anonymousStreams: 100 },
  limits: { plans: { community: { concurrentStreams: 100 } }, rateLimit: { multiplier: 1_000 } },
  http: { allowPrivateHosts: ['127.0.0.1'] },
}
const { database, instance } = await openInstances(OPTIONS)
const app = await instance()
const base = await listen(app)
const { clock, at } = createClock(new Date(Date.now() - 7_200_000))
const earlier = await openInstances({ ...OPTIONS, clock })

const TYPE = 'agent.access.read'

/** What an account reads in the history. */
async function historyOf(who: Person): Promise<readonly Envelope[]> {
  const response = await who.get(`/eep/events?limit=1000&types=${TYPE}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().events
}
const readsOf = async (who: Person) =>
  (await historyOf(who)).map(({ data }) => [data.agent_did, data.verified, data.resource])
const untilRead = (who: Person, check: (reads: readonly unknown[]) => void) =>
  vi.waitFor(async () => check(await readsOf(who)), LONG)

const signedRead = async (agent: TestAgent, path: string, through = app) => {
  const response = await client(through).get(path, agent.sign({ path }))
  expect(response.statusCode, response.body).toBe(200)
}

describe('agent.access.read', () => {
  it('is sent to the team of the profile on every surface, and to no other account', async () => {
    const [owner, stranger, bystander] = [await createWriter(app), await createWriter(app), await createWriter(app)]
    const viewer = await signUp(app)
    await join({ owner, id: owner.profileId, team: `/profiles/${owner.profileId}/team` }, viewer, 'viewer')
    const page = await owner.newPage({ title: 'Engines' })
    await bystander.newPage({ title: 'Start' })
    const start = await vi.waitFor(async () => {
      const { events } = (await owner.get(`/eep/events?limit=1000&types=content.*`)).json()
      const found = events.find(({ source }: Envelope) => source === didOf(bystander))
      expect(found).toBeDefined()
      return found as Envelope
    }, LONG)
    const follow = async (reader: typeof owner) => {
      for (const { account } of [owner, bystander]) {
        if (account.id !== reader.account.id) await reader.post(`/connections/u/${account.username}`)
      }
      const followed = { app, base, reader, sources: [didOf(owner), didOf(bystander)] }
      return Promise.all(
        SURFACES.map(async (surface) => ({
          name: surface.name,
          follower: await surface.follow(followed, start.id),
        })),
      )
    }
    const [ofOwner, ofStranger] = [await follow(owner), await follow(stranger)]

    const agent = keyAgent()
    await signedRead(agent, page.path)
    await untilRead(owner, (reads) => expect(reads).toHaveLength(1))
    const data = {
      entity_id: owner.profileId,
      agent_did: agent.did,
      agent_id: expect.stringMatching(/^[\w-]{22}$/),
      verified: true,
      resource: 'content.engines',
      path: page.path,
    }
    expect(await historyOf(viewer)).toMatchObject([{ source: didOf(owner), subject: page.path, data }])
    await bystander.newPage({ title: 'End' })
    const isEnd = (envelope: Envelope) => envelope.source === didOf(bystander) && envelope.data.title === 'End'
    const PUBLIC = ['/stream/signals', '/ws/messages']
    for (const [followers, isInTeam] of [[ofOwner, true] as const, [ofStranger, false] as const]) {
      for (const { name, follower } of followers) {
        const received = (envelopes: readonly Envelope[]) => envelopes.filter(({ type }) => type === TYPE)
        const expected = isInTeam && !PUBLIC.includes(name) ? [{ source: didOf(owner), subject: page.path, data }] : []
        await follower.settle(isEnd)
        expect([name, received(follower.envelopes())]).toMatchObject([name, expected])
        const replay = await follower.again(start)
        await replay.settle(isEnd)
        expect([name, received(replay.envelopes())]).toMatchObject([name, expected])
        if (expected.length === 0) {
          expect(JSON.stringify([follower.envelopes(), replay.envelopes()])).not.toContain(agent.did)
        }
        await replay.close()
        await follower.close()
      }
    }
  }, 300_000)

  it('is sent once for each agent and resource, however often they are read and on which instance', async () => {
    const elsewhere = await instance({ storage: database.another() })
    const [owner, other] = [await createWriter(app), await createWriter(app)]
    const page = await owner.newPage({ title: 'Engines' })
    const profile = `/u/${owner.account.username}`
    const [one, two, last, lastElsewhere] = [keyAgent(), keyAgent(), keyAgent(), keyAgent()]
    const key = await newKey(app, other.headers, { scopes: ['read:content', 'read:profiles'] })
    const ownKey = await newKey(app, owner.headers, { scopes: ['read:content', 'read:profiles'] })

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        signedRead(one, page.path, index % 2 === 0 ? app : elsewhere),
        client(index % 2 === 0 ? app : elsewhere).get(page.path, key.headers),
      ]).flat(),
    )
    await signedRead(two, page.path)
    await signedRead(one, profile)
    await signedRead(one, `${profile}?format=json`)
    // An agent that only names the DID is a separate one, and does not hide the one that signs.
    await client(app).get(page.path, { 'eep-agent-did': one.did })
    for (const headers of [{}, other.headers, ownKey.headers]) {
      expect((await client(app).get(page.path, headers)).statusCode).toBe(200)
    }
    await signedRead(last, page.path)
    await signedRead(lastElsewhere, page.path, elsewhere)
    const isThere = (reads: readonly unknown[], { did }: TestAgent) =>
      reads.some((read) => (read as readonly unknown[])[0] === did)
    await untilRead(owner, (reads) => expect([last, lastElsewhere].every((each) => isThere(reads, each))).toBe(true))
    const expected = [
      [one.did, true, 'content.engines'],
      [null, false, 'content.engines'],
      [two.did, true, 'content.engines'],
      [one.did, true, 'profile'],
      [one.did, false, 'content.engines'],
      [last.did, true, 'content.engines'],
      [lastElsewhere.did, true, 'content.engines'],
    ]
    expect((await readsOf(owner)).map(String).toSorted()).toEqual(expected.map(String).toSorted())
    const ids = new Set((await historyOf(owner)).map(({ data }) => `${data.agent_did} ${data.agent_id}`))
    expect(ids.size).toBe(expected.length - 1)
    expect(JSON.stringify(await historyOf(owner))).not.toContain(other.account.username)
  })

  it('gives an agent another id at each profile', async () => {
    const [owner, other] = [await createWriter(app), await createWriter(app)]
    const key = await newKey(app, (await signUp(app)).headers, { scopes: ['read:profiles'] })
    for (const { account } of [owner, other]) await client(app).get(`/u/${account.username}`, key.headers)
    for (const each of [owner, other]) await untilRead(each, (reads) => expect(reads).toHaveLength(1))
    const ids = [...(await historyOf(owner)), ...(await historyOf(other))].map(({ data }) => data.agent_id)
    expect(new Set(ids).size).toBe(2)
  })

  it('is not sent for a read that a gate refuses', async () => {
    const shop = await openShop(app, 'shop-of-agents')
    const agent = keyAgent()
    const refused = await client(app).get(shop.paid, agent.sign({ path: shop.paid }))
    expect(refused.statusCode).toBe(402)
    await signedRead(agent, shop.open)
    await untilRead(shop, (reads) => expect(reads).toEqual([[agent.did, true, expect.not.stringContaining('notes')]]))
  })

  it('is sent again after a minute', async () => {
    const service = await earlier.instance()
    const owner = await createWriter(service)
    const agent = keyAgent()
    const profile = `/u/${owner.account.username}`
    await signedRead(agent, profile, service)
    await signedRead(agent, profile, service)
    await untilRead(owner, (reads) => expect(reads).toHaveLength(1))
    await at(clock().getTime() + 61_000, () => signedRead(agent, profile, service))
    await untilRead(owner, (reads) => expect(reads).toHaveLength(2))
  })

  it('is stored when the service stops, and neither announced nor stored without its module', async () => {
    const owner = await createWriter(app)
    const profile = `/u/${owner.account.username}`
    const without = await instance({ storage: database.another(), agentAccess: false })
    await signedRead(keyAgent(), profile, without)
    expect((await client(without).get('/eep/events/types')).body).not.toContain(TYPE)
    await without.close()
    const stopping = await instance({ storage: database.another() })
    const agent = keyAgent()
    await signedRead(agent, profile, stopping)
    await stopping.close()
    await untilRead(owner, (reads) => expect(reads).toEqual([[agent.did, true, 'profile']]))
  })
})
