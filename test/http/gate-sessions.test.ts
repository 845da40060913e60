import { endOfLog, eventsAfter } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'

const HOUR_MS = 3_600_000
const RESOURCE = 'content.notes.kept'
const PROOFS = [{ type: 'capability', declared_capabilities: ['cite'] }]

let now = Date.now()
let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Writer
let path: string
let did: string

beforeAll(async () => {
  test = await createTestApp({ clock: () => new Date(now) })
  ada = await createWriter(test.app, 'ada')
  const notes = await ada.newCategory({ name: 'Notes' })
  path = (await ada.newPage({ title: 'Kept', body: 'The inside.', category_id: notes.id })).path
  did = 'did:web:profiles.example:u:ada'
  await closeGate()
})
afterAll(() => test.close())

async function closeGate(): Promise<void> {
  const tiers = {
    public: { requirements: [], access: ['profile.*'] },
    inner: { requirements: [{ type: 'capability', required_capabilities: ['cite'] }], access: ['content.*'] },
  }
  const saved = await ada.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
  expect(saved.statusCode, saved.body).toBe(200)
}

const json = { 'content-type': 'application/json' }
const post = (url: string, agent: TestAgent, body = '', headers: object = {}) =>
  client(test.app).post(url, body, {
    ...(body && json),
    ...agent.sign({ method: 'POST', path: url, body }),
    ...headers,
  })

/** A session of an agent that has proved what the gate requires. */
async function newSession(agent: TestAgent) {
  const verified = await post(
    `/eep/gates/${did}/verify-proof`,
    agent,
    JSON.stringify({ resource: RESOURCE, proofs: PROOFS }),
  )
  expect(verified.statusCode, verified.body).toBe(200)
  return verified.json()
}
const carried = (token: string) => ({ authorization: `EEP-Session ${token}` })
const renew = (agent: TestAgent, token: string) => post('/eep/sessions/renew', agent, '', carried(token))
const end = (agent: TestAgent, token: string) => post('/eep/sessions/revoke', agent, '', carried(token))
const read = async (agent: TestAgent, token: string) =>
  (await client(test.app).get(path, { ...carried(token), 'eep-agent-did': agent.did })).statusCode

describe('renewing a session', () => {
  it('extends it by an hour without its proofs, from its refresh threshold on', async () => {
    const agent = keyAgent()
    const { session, session_token: token } = await newSession(agent)
    const early = await renew(agent, token)
    expect([early.statusCode, codeOf(early)]).toEqual([409, 'gate_session_not_due'])
    expect(Number(early.headers['retry-after'])).toBeGreaterThan(3_000)
    now = session.refresh_threshold * 1_000
    const renewed = await renew(agent, token)
    expect(renewed.statusCode, renewed.body).toBe(200)
    expect(renewed.headers['cache-control']).toBe('no-store')
    const next = renewed.json()
    const exp = session.refresh_threshold + 3_600
    expect(next.session).toEqual({ ...session, exp, refresh_threshold: session.refresh_threshold + 3_240 })
    expect(Date.parse(next.expires_at)).toBe(exp * 1_000)
    now = session.exp * 1_000
    expect([await read(agent, token), await read(agent, next.session_token)]).toEqual([403, 200])
  })

  it('ends a day after the session began', async () => {
    const agent = keyAgent()
    let { session, session_token: token } = await newSession(agent)
    const began = session.iat
    let last = await renew(agent, token)
    for (let renewals = 0; renewals < 40; renewals++) {
      now = session.refresh_threshold * 1_000
      last = await renew(agent, token)
      if (last.statusCode !== 200) break
      ;({ session, session_token: token } = last.json())
    }
    expect([last.statusCode, codeOf(last)]).toEqual([409, 'gate_session_over'])
    expect(session).toMatchObject({ iat: began, exp: began + 86_400 })
    expect(await read(agent, token)).toBe(200)
    now = session.exp * 1_000
    expect(await read(agent, token)).toBe(403)
  })

  it('writes one entry into the audit log for each period, however often the token is renewed', async () => {
    const agent = keyAgent()
    const { session, session_token: token } = await newSession(agent)
    now = session.refresh_threshold * 1_000
    const tokens: string[] = []
    for (let renewals = 0; renewals < 3; renewals++) {
      const renewed = await renew(agent, token)
      expect(renewed.statusCode, renewed.body).toBe(200)
      tokens.push(renewed.json().session_token)
      now += 1_000
    }
    now += 3_240_000
    for (const each of tokens) expect((await renew(agent, each)).statusCode).toBe(200)
    const entries = async () => {
      const listed = await ada.get(`/eep/audit-log?actor_did=${encodeURIComponent(agent.did)}`)
      return listed.json().entries.map(({ event_type }: { event_type: string }) => event_type)
    }
    // Entries are written in order, so those of the renewals precede this one.
    await end(agent, (await newSession(agent)).session_token)
    await expect.poll(entries).toContain('session.revoked')
    expect((await entries()).filter((type: string) => type === 'session.renewed')).toHaveLength(2)
  })

  it('is refused for a session of another agent, without a signature, and when the session is invalid', async () => {
    const agent = keyAgent()
    const { session, session_token: token } = await newSession(agent)
    now = session.refresh_threshold * 1_000
    const forged = Buffer.from(JSON.stringify({ ...session, exp: session.exp + 9, signature: 'A'.repeat(86) }))
    const refused = [
      await renew(keyAgent(), token),
      await client(test.app).post('/eep/sessions/renew', '', { ...carried(token), 'eep-agent-did': agent.did }),
      await renew(agent, forged.toString('base64url')),
      await post('/eep/sessions/renew', agent),
    ]
    expect(refused.map((answer) => [answer.statusCode, codeOf(answer)])).toEqual(
      refused.map(() => [401, 'gate_session_invalid']),
    )
    now = session.exp * 1_000
    expect(codeOf(await renew(agent, token))).toBe('gate_session_invalid')
  })

  it('is refused after the gate was changed', async () => {
    const agent = keyAgent()
    const { session, session_token: token } = await newSession(agent)
    now = session.refresh_threshold * 1_000
    await closeGate()
    expect(codeOf(await renew(agent, token))).toBe('gate_session_invalid')
  })
})

describe('revoking sessions', () => {
  it('ends those of one agent immediately, and the agent can prove itself again', async () => {
    const [agent, other] = [keyAgent(), keyAgent()]
    const [{ session_token: token }, { session_token: kept }] = [await newSession(agent), await newSession(other)]
    const body = { agent_did: agent.did, reason: 'security_incident' }
    const revoked = await ada.post(`/eep/gates/${did}/sessions/revoke`, body)
    expect(revoked.statusCode, revoked.body).toBe(200)
    expect(revoked.json()).toEqual({
      ...body,
      agent_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      publisher_did: did,
      revoked_at: new Date(now).toISOString(),
      re_auth_required: true,
    })
    expect([await read(agent, token), await read(other, kept)]).toEqual([403, 200])
    const { session_token: fresh } = await newSession(agent)
    expect(await read(agent, fresh)).toBe(200)
    expect(await read(agent, token)).toBe(403)
    now += HOUR_MS
  })

  it('is possible for the agent that carries the session', async () => {
    const agent = keyAgent()
    const { session_token: token } = await newSession(agent)
    expect(codeOf(await end(keyAgent(), token))).toBe('gate_session_invalid')
    expect(await read(agent, token)).toBe(200)
    const ended = await end(agent, token)
    expect(ended.json()).toMatchObject({ agent_did: agent.did, publisher_did: did, reason: 'operator_request' })
    expect(await read(agent, token)).toBe(403)
    expect(codeOf(await end(agent, token))).toBe('gate_session_invalid')
  })

  it('is refused to accounts that may not change the gate, and for a value that is not a DID', async () => {
    const stranger = await signUp(test.app)
    const url = `/eep/gates/${did}/sessions/revoke`
    const answers = [
      await stranger.post(url, { agent_did: keyAgent().did }),
      await ada.post(url, { agent_did: 'an agent' }),
      await ada.post(url, { agent_did: keyAgent().did, reason: 'mood' }),
      await ada.post('/eep/gates/did:web:profiles.example:u:unknown-name/sessions/revoke', {
        agent_did: keyAgent().did,
      }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 400, 400, 404])
  })

  it('writes renewals and revocations into the audit log of the profile', async () => {
    const agent = keyAgent()
    const { session, session_token: token } = await newSession(agent)
    now = session.refresh_threshold * 1_000
    expect((await renew(agent, token)).statusCode).toBe(200)
    await end(agent, token)
    const listed = (type: string) =>
      ada.get(`/eep/audit-log?event_type=${type}&actor_did=${encodeURIComponent(agent.did)}`)
    await expect
      .poll(async () => (await listed('session.revoked')).json().entries)
      .toMatchObject([{ actor_did: agent.did, metadata: { reason: 'operator_request', by_agent: true } }])
    expect((await listed('session.renewed')).json().entries).toMatchObject([
      { actor_did: agent.did, session_token_id: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  it('names the agent by a digest in the audit log and in the event when the team revokes, and not by its DID', async () => {
    const [agent, bert] = [keyAgent(), await createWriter(test.app, 'bert')]
    const revokeBy = async (owner: Writer, username: string) => {
      const url = `/eep/gates/did:web:profiles.example:u:${username}/sessions/revoke`
      const revoked = await owner.post(url, { agent_did: agent.did })
      expect(revoked.statusCode, revoked.body).toBe(200)
      return revoked.json().agent_digest as string
    }
    const start = await endOfLog(test.storage)
    const digest = await revokeBy(ada, 'ada')
    expect([await revokeBy(ada, 'ada'), await revokeBy(bert, 'bert')]).toEqual([
      digest,
      expect.not.stringMatching(digest),
    ])
    const events = (await eventsAfter(test.storage, start)).filter(({ type }) => type === 'gates.sessions_revoked')
    expect(events).toHaveLength(3)
    expect(JSON.stringify(events)).not.toContain(agent.did)
    const entries = async () => {
      const listed = await ada.get('/eep/audit-log?event_type=session.revoked')
      return listed.json().entries.filter((entry: object) => JSON.stringify(entry).includes(digest))
    }
    await expect.poll(async () => (await entries()).length).toBe(2)
    const named = await entries()
    expect(named[0]).toMatchObject({ actor_did: did, metadata: { by_agent: false, agent_digest: digest } })
    expect(JSON.stringify(named)).not.toContain(agent.did)
  })
})
