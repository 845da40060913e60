import { type AgentAccess, defineModule, type Visit, type VisitingAgent } from '@eep/core/module'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'

const visits: (readonly [Visit, VisitingAgent | undefined])[] = []
const accesses: AgentAccess[] = []
let fails = false

/** Modules of a host: the first one throws and the second one rejects, which must hide nothing from the third. */
const broken = defineModule({
  name: 'broken',
  onVisit: () => () => {
    if (fails) throw new Error('no counter')
  },
  onAgentAccess: () => () => {
    if (fails) throw new Error('no counter')
  },
})
const late = defineModule({
  name: 'late',
  onVisit: () => async () => {
    if (fails) throw new Error('no counter')
  },
})
const statistics = defineModule({
  name: 'statistics',
  create: () => ({ statistics: { visits, accesses } }),
  onVisit:
    ({ statistics }) =>
    (visit, _request, agent) =>
      statistics.visits.push([visit, agent]),
  onAgentAccess:
    ({ statistics }) =>
    (access) =>
      statistics.accesses.push(access),
})

let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  test = await createTestApp({
    modules: [broken, late, statistics],
    analytics: false,
    insights: false,
    agentAccess: false,
  })
  ada = await signUp(test.app)
})
afterAll(() => test.close())
beforeEach(() => {
  visits.length = 0
  accesses.length = 0
  fails = false
})

const { get } = client(() => test.app)
const read = (headers: Record<string, string> = {}) =>
  get(`/u/${ada.account.username}`, { accept: 'text/markdown', ...headers })

it('gets each read of a profile, also without the features that count them', async () => {
  expect((await read()).statusCode).toBe(200)
  const visit = { kind: 'view', profileId: ada.account.active_profile_id, path: '/', format: 'markdown' }
  expect(visits).toEqual([[visit, undefined]])
  expect(accesses).toEqual([])
})

it('gets what agents read, and not what the owner reads', async () => {
  await read({ 'eep-agent-did': 'did:web:agents.example:scout' })
  expect(visits).toMatchObject([[{ kind: 'view' }, { did: 'did:web:agents.example:scout', verified: false }]])
  expect(accesses).toMatchObject([
    { kind: 'read', profileId: ada.account.active_profile_id, did: 'did:web:agents.example:scout', verified: false },
  ])
  await read(ada.headers)
  expect(visits).toHaveLength(1)
})

it('answers requests, and calls the other modules, when one of them throws or rejects', async () => {
  fails = true
  expect((await read({ 'eep-agent-did': 'did:web:agents.example:scout' })).statusCode).toBe(200)
  expect([visits.length, accesses.length]).toEqual([1, 1])
})
