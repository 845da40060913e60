import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { type Client, client } from '../support/client.ts'
import { newMemory, remember, signedClient } from '../support/memory.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const [ours, theirs] = [keyAgent(), keyAgent()]

let test: Awaited<ReturnType<typeof createTestApp>>
let organization: OwnedProfile
const callers = new Map<string, Client>()
/** Paths of sessions by the agent that they belong to, each with the id of an entry. */
const sessions = new Map<string, { readonly path: string; readonly entryId: number }>()

const SCOPES = { scopes: ['read:memory', 'write:memory'] }

beforeAll(async () => {
  test = await createTestApp({ withSearch: true, memory: { summarizer: { summarize: async () => 'A summary' } } })
  const { app } = test
  organization = await newOrganization(app)
  const { owner, id } = organization
  const [admin, editor, viewer] = await Promise.all(
    (['admin', 'editor', 'viewer'] as const).map((role) => newMember(app, organization, role)),
  )
  const former = await newMember(app, organization, 'admin')
  await owner.delete(`${organization.team}/${former.account.id}`)
  const outsider = await signUp(app)
  const ownId = owner.account.active_profile_id
  const key = async (person: Person, fields: object = SCOPES) =>
    client(app).with((await newKey(app, person.headers, fields)).headers)
  const headersOf = async (person: Person) => (await newKey(app, person.headers, SCOPES)).headers
  const named: readonly (readonly [string, Client])[] = [
    ['the owner', owner],
    ['an admin', admin as Person],
    ['an editor', editor as Person],
    ['a viewer', viewer as Person],
    ['a former member', former],
    ['another account', outsider],
    ['an anonymous client', client(app)],
    ['a key of the owner', await key(owner)],
    ['a key of an editor', await key(editor as Person)],
    ['a key of the owner for another profile', await key(owner, { ...SCOPES, profile_id: ownId })],
    ['a key of the owner for the profile', await key(owner, { ...SCOPES, profile_id: id })],
    ['a key of another account', await key(outsider)],
    ['the agent with a key of the owner', signedClient(app, ours, await headersOf(owner))],
    ['the agent with the session of the owner', signedClient(app, ours, owner.headers)],
    ['the agent with a key of an editor', signedClient(app, ours, await headersOf(editor as Person))],
    ['another agent with a key of the owner', signedClient(app, theirs, await headersOf(owner))],
    ['the agent with a key of another account', signedClient(app, ours, await headersOf(outsider))],
    ['a key that claims the agent', (await key(owner)).with({ 'eep-agent-did': ours.did })],
  ]
  for (const [name, each] of named) callers.set(name, each)
  for (const [name, agentDid] of [
    ['agent', ours.did],
    ['none', undefined],
  ] as const) {
    const path = await newMemory(owner, id, { agent_did: agentDid, name: 'A session' })
    const [entryId = 0] = await remember(owner, path, 'A quillwort grows here')
    sessions.set(name, { path, entryId })
  }
})
afterAll(() => test.close())

/** Every route of a session, with bodies that are valid. */
const requests = (session: string, entryId: number) =>
  [
    ['GET', session],
    ['GET', `${session}/entries`],
    ['POST', `${session}/entries`, { role: 'user', content: 'A note' }],
    ['PATCH', `${session}/entries/${entryId}`, { importance: 0.7 }],
    ['POST', `${session}/search`, { query: 'quillwort' }],
    ['POST', `${session}/recall`, { query: 'quillwort', token_budget: 50 }],
    ['POST', `${session}/summary`, {}],
    ['DELETE', `${session}/entries/999999999`],
  ] as const

/** Whom the sessions of the agent, and those of no agent, are open to. */
const TABLE: readonly (readonly [caller: string, agent: boolean, none: boolean])[] = [
  ['the owner', true, true],
  ['an admin', true, true],
  ['an editor', true, true],
  ['a viewer', false, false],
  ['a former member', false, false],
  ['another account', false, false],
  ['an anonymous client', false, false],
  ['a key of the owner', false, true],
  ['a key of an editor', false, true],
  ['a key of the owner for another profile', false, false],
  ['a key of the owner for the profile', false, true],
  ['a key of another account', false, false],
  ['the agent with a key of the owner', true, false],
  ['the agent with the session of the owner', true, false],
  ['the agent with a key of an editor', true, false],
  ['another agent with a key of the owner', false, false],
  ['the agent with a key of another account', false, false],
  ['a key that claims the agent', false, true],
]

describe.each(TABLE)('to %s', (name, ofAgent, ofNone) => {
  it.each([
    ['agent', ofAgent],
    ['none', ofNone],
  ] as const)('opens every route of a session of %s or none of them', async (kind, isOpen) => {
    const caller = callers.get(name)
    const { path = '', entryId = 0 } = sessions.get(kind) ?? {}
    for (const [method, url, body] of requests(path, entryId)) {
      const answer = await caller?.send(method, url, body)
      const what = `${method} ${url}: ${answer?.body}`
      if (isOpen) {
        // The entry to delete does not exist.
        const isAdded = method === 'POST' && url.endsWith('/entries')
        const expected = method === 'DELETE' ? 404 : isAdded ? 201 : 200
        expect(answer?.statusCode, what).toBe(expected)
      } else {
        expect(answer?.statusCode, what).toBe(name === 'an anonymous client' ? 401 : 404)
        expect(answer?.body).not.toContain('quillwort')
      }
    }
  })

  it('lists only the sessions that are open to the caller', async () => {
    const answer = await callers.get(name)?.get(`/memory/sessions?profile_id=${organization.id}`)
    const shown = [...sessions].filter(([, { path }]) => answer?.body.includes(path.split('/').at(-1) ?? path))
    const open = [...(ofAgent ? ['agent'] : []), ...(ofNone ? ['none'] : [])]
    expect(shown.map(([kind]) => kind).toSorted()).toEqual(open)
    if (open.length === 0 && answer?.statusCode === 200) expect(answer.json().pagination.total).toBe(0)
  })
})

describe('a new session', () => {
  const create = (name: string, fields: object = {}) =>
    callers.get(name)?.post('/memory/sessions', { profile_id: organization.id, ttl_seconds: 60, ...fields })

  it('belongs to the agent that signed the request', async () => {
    expect((await create('the agent with a key of the owner'))?.json().agent_did).toBe(ours.did)
    expect((await create('the agent with a key of the owner', { agent_did: ours.did }))?.json().agent_did).toBe(
      ours.did,
    )
    expect((await create('a key that claims the agent'))?.json().agent_did).toBeNull()
  })

  it.each([
    ['the agent with a key of the owner', 'memory_agent_mismatch'],
    ['a key of the owner', 'memory_signature_required'],
    ['a key that claims the agent', 'memory_signature_required'],
    ['a viewer', 'not_profile_owner'],
    ['a former member', 'not_profile_owner'],
    ['another account', 'not_profile_owner'],
  ])('for another agent is refused to %s with %s', async (name, code) => {
    const answer = await create(name, { agent_did: theirs.did })
    expect([answer?.statusCode, answer && codeOf(answer)]).toEqual([403, code])
  })
})

describe('an Idempotency-Key of an agent', () => {
  const keyed = { 'idempotency-key': 'shared' }
  const body = { query: 'quillwort', token_budget: 50 }

  it('opens its session to no other agent and no other request with the same API key', async () => {
    const { headers } = await newKey(test.app, organization.owner.headers, SCOPES)
    const [one, other] = [ours, theirs].map((agent) => signedClient(test.app, agent, headers))
    const { path = '' } = sessions.get('agent') ?? {}
    for (const [url, sent] of [
      [`${path}/search`, { query: 'quillwort' }],
      [`${path}/recall`, body],
      [`${path}/summary`, {}],
    ] as const) {
      expect((await one?.with(keyed).post(url, sent))?.statusCode).toBe(200)
      expect((await other?.with(keyed).post(url, sent))?.statusCode, url).toBe(404)
      expect(
        (
          await client(test.app)
            .with({ ...headers, ...keyed })
            .post(url, sent)
        ).statusCode,
        url,
      ).toBe(404)
    }
  })

  it('returns no session to another agent with the same API key', async () => {
    const { headers } = await newKey(test.app, organization.owner.headers, SCOPES)
    const create = (agent: typeof ours) =>
      signedClient(test.app, agent, { ...headers, ...keyed }).post('/memory/sessions', {
        profile_id: organization.id,
        ttl_seconds: 60,
      })
    const [made, again] = [await create(ours), await create(ours)]
    expect([made.statusCode, again.json().id]).toEqual([201, made.json().id])
    const refused = await create(theirs)
    expect([refused.statusCode, codeOf(refused)]).toEqual([422, 'idempotency_mismatch'])
  })

  it('recalls nothing of a session that was deleted', async () => {
    const { owner, id } = organization
    const path = await newMemory(owner, id)
    await remember(owner, path, 'A quillwort grows here')
    const recalled = async () => (await owner.with(keyed).post(`${path}/recall`, body)).statusCode
    expect(await recalled()).toBe(200)
    await owner.delete(path)
    expect(await recalled()).toBe(404)
  })
})

it('revokes the access of a member with the membership', async () => {
  const editor = await newMember(test.app, organization, 'editor')
  const { path = '' } = sessions.get('none') ?? {}
  expect((await editor.get(path)).statusCode).toBe(200)
  await organization.owner.delete(`${organization.team}/${editor.account.id}`)
  expect((await editor.get(path)).statusCode).toBe(404)
  expect((await editor.post(`${path}/entries`, { role: 'user', content: 'late' })).statusCode).toBe(404)
})
