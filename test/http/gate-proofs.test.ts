import { randomUUID, sign } from 'node:crypto'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { client } from '../support/client.ts'
import { GUARDED_PRICE, openGuardedPage } from '../support/guarded-page.ts'

const { cashWallets, service, path, did, guard, read, expectClosed, expectOpen } = await openGuardedPage()

const proofs = (...list: object[]) => ({ 'x-eep-proofs': JSON.stringify(list) })
const signed = (agent: TestAgent) => agent.sign({ path })

describe('a gate that asks for proofs', () => {
  const HASH = `sha256:${'ab'.repeat(32)}`

  it('accepts a document that is signed by the signer of the request', async () => {
    await guard({ type: 'agreement', document_hash: HASH, document_url: 'https://owner.example/terms' })
    const agent = keyAgent()
    const agreed = (by: TestAgent, hash = HASH) =>
      proofs({
        type: 'agreement',
        document_hash: hash,
        signer_did: by.did,
        signature: sign(null, Buffer.from(hash), by.key).toString('base64url'),
      })
    await expectOpen({ ...signed(agent), ...agreed(agent) })
    await expectClosed({ ...signed(keyAgent()), ...agreed(agent) })
    await expectClosed(agreed(agent))
    await expectClosed({ ...signed(agent), ...agreed(agent, `sha256:${'cd'.repeat(32)}`) })
  })

  const issue = (issuer: TestAgent, subject: string, claims: object = {}, expires = '1h', said: object = {}) =>
    new SignJWT({
      ...said,
      vc: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'PressCard'],
        credentialSubject: { id: subject, ...claims },
      },
    })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(issuer.did)
      .setSubject(subject)
      .setNotBefore('0s')
      .setExpirationTime(expires)
      .sign(issuer.key)

  it('accepts a credential of the right type and issuer about the signer of the request', async () => {
    const [press, agent] = [keyAgent(), keyAgent()]
    await guard({ type: 'credential', credential_type: 'PressCard', issuer: press.did })
    const shown = async (jwt: Promise<string>) =>
      proofs({ type: 'credential', format: 'jwt_vc', credential: await jwt })
    await expectOpen({ ...signed(agent), ...(await shown(issue(press, agent.did))) })
    await expectClosed({ ...signed(keyAgent()), ...(await shown(issue(press, agent.did))) })
    await expectClosed({ ...signed(agent), ...(await shown(issue(keyAgent(), agent.did))) })
    await expectClosed({ ...signed(agent), ...(await shown(issue(press, agent.did, {}, '-1h'))) })
    const forged = (await issue(press, agent.did)).replace(/.{8}$/, 'AAAAAAAA')
    await expectClosed({ ...signed(agent), ...(await shown(Promise.resolve(forged))) })
    for (const name of [press.did, { id: press.did }]) {
      const impostor = issue(agent, agent.did, {}, '1h', { issuer: name })
      await expectClosed({ ...signed(agent), ...(await shown(impostor)) })
    }
    const over = issue(press, agent.did, {}, '1h', { expirationDate: '2020-01-01T00:00:00Z' })
    await expectClosed({ ...signed(agent), ...(await shown(over)) })
    await guard({ type: 'credential', credential_type: 'Passport' })
    await expectClosed({ ...signed(agent), ...(await shown(issue(press, agent.did))) })
  })

  it('accepts claims in a presentation for this entity', async () => {
    const [press, agent] = [keyAgent(), keyAgent()]
    await guard({
      type: 'data_request',
      requested_claims: [{ claim: 'country', purpose: 'dpv:ServiceProvision', retention_days: 30 }],
    })
    const present = async (claims: object, audience = did, holder = agent) => {
      const credential = await issue(press, agent.did, claims)
      const jwt = await new SignJWT({
        vp: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiablePresentation'],
          verifiableCredential: [credential],
        },
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .setIssuer(holder.did)
        .setAudience(audience)
        .setNotBefore('0s')
        .setExpirationTime('5m')
        .sign(holder.key)
      return proofs({ type: 'data_request', verifiable_presentation: jwt })
    }
    await expectOpen({ ...signed(agent), ...(await present({ country: 'PT' })) })
    await expectClosed({ ...signed(agent), ...(await present({ city: 'Porto' })) })
    await expectClosed({ ...signed(agent), ...(await present({ country: 'PT' }, 'did:web:elsewhere.example')) })
    await expectClosed({ ...signed(keyAgent()), ...(await present({ country: 'PT' })) })
    await expectClosed({ ...signed(agent), ...(await present({ country: 'PT' }, did, keyAgent())) })
  })

  it('accepts a proof with a nonce once, also under concurrent requests', async () => {
    await guard({ type: 'capability', required_capabilities: ['cite'] })
    const agent = keyAgent()
    const shown = proofs({ type: 'capability', declared_capabilities: ['cite'], nonce: randomUUID() })
    const answers = await Promise.all(Array.from({ length: 10 }, () => read({ ...signed(agent), ...shown })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const others = answers.filter(({ statusCode }) => statusCode !== 200)
    expect(new Set(others.map(codeOf))).toEqual(new Set(['proof_replayed']))
  })

  it.each([
    ['over', { expires_at: '2020-01-01T00:00:00Z' }],
    ['from the future', { issued_at: '2100-01-01T00:00:00Z' }],
  ])('rejects a proof that is %s', async (_what, times) => {
    await guard({ type: 'capability', required_capabilities: ['cite'] })
    await expectClosed({
      ...signed(keyAgent()),
      ...proofs({ type: 'capability', declared_capabilities: ['cite'], ...times }),
    })
  })

  it.each([
    ['text that is not JSON', 'nonsense'],
    ['an object', '{}'],
    ['an unknown type', '[{"type":"passport"}]'],
    ['a member too many', '[{"type":"trust","self_attested":true,"extra":1}]'],
    ['eleven proofs', JSON.stringify(Array.from({ length: 11 }, () => ({ type: 'trust', self_attested: true })))],
  ])('rejects %s in place of proofs', async (_what, header) => {
    const answer = await read({ 'x-eep-proofs': header })
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_proof'])
  })
})

describe('a proof of intent', () => {
  const intent = (document: object = {}, scope: object = {}) => ({
    type: 'proof_of_intent',
    intent_document: {
      intent_id: 'intent-1',
      agent_did: 'did:web:agent.example',
      principal_did: 'did:web:owner.example',
      action: 'read',
      scope: { expires_at: '2100-01-01T00:00:00Z', ...scope },
      principal_signature: 'ab'.repeat(32),
      created_at: '2026-01-01T00:00:00Z',
      ...document,
    },
  })

  it('may have further members in its document and its scope, as the schema of EEP permits', async () => {
    await guard({ type: 'capability', required_capabilities: ['cite'] })
    const shown = intent({ locale: 'pt' }, { daily_limit: 3, regions: ['PT'] })
    await expectClosed(proofs(shown))
  })

  it('must have nothing besides its document, and a scope that expires', async () => {
    for (const shown of [{ ...intent(), extra: 1 }, intent({ scope: { max_amount: 1 } })]) {
      expect((await read(proofs(shown))).statusCode).toBe(400)
    }
  })
})

describe('proofs that are checked ahead', () => {
  const url = `/eep/gates/${did}/verify-proof`
  const body = (...list: object[]) => JSON.stringify({ resource: 'content.notes.kept', proofs: list })
  const verify = (payload: string, headers: Record<string, string> = {}) =>
    client(service.app).post(url, payload, { 'content-type': 'application/json', ...headers })
  const declared = { type: 'capability', declared_capabilities: ['cite'] }
  const asAgent = (agent: TestAgent, payload: string) => agent.sign({ method: 'POST', path: url, body: payload })

  it('returns a session to a signing agent, which is valid until the gate changes', async () => {
    await guard({ type: 'capability', required_capabilities: ['cite'] })
    const agent = keyAgent()
    const shown = body(declared)
    const proven = await verify(shown, asAgent(agent, shown))
    expect(proven.statusCode, proven.body).toBe(200)
    const { session, session_token: token, ...more } = proven.json()
    expect(more).toMatchObject({ granted: true, tier: 'inner', resource: 'content.notes.kept' })
    expect(session).toMatchObject({ agent_did: agent.did, context_id: did, tiers: ['inner'] })
    const carried = { authorization: `EEP-Session ${token}` }
    await expectOpen({ ...carried, 'eep-agent-did': agent.did })
    await expectClosed({ ...carried, 'eep-agent-did': keyAgent().did })
    await expectClosed(carried)
    const forged = JSON.parse(Buffer.from(token, 'base64url').toString())
    const other = Buffer.from(JSON.stringify({ ...forged, tiers: ['inner', 'more'] })).toString('base64url')
    await expectClosed({ authorization: `EEP-Session ${other}`, 'eep-agent-did': agent.did })
    await guard({ type: 'capability', required_capabilities: ['cite'] })
    await expectClosed({ ...carried, 'eep-agent-did': agent.did })
  })

  it('returns no session for a payment, which could be refunded, or for a session', async () => {
    const agent = keyAgent()
    const friend = keyAgent()
    const requirements = [GUARDED_PRICE, { type: 'allowlist', dids: [friend.did] }]
    await guard({ type: 'combined', combine_mode: 'any', requirements })
    const offer = await expectClosed({}, 402)
    await expectOpen({ ...signed(agent), ...cashWallets.answer(String(offer.headers['payment-required'])) })

    const shown = body()
    const bought = await verify(shown, asAgent(agent, shown))
    expect([bought.statusCode, bought.json().session_token]).toEqual([200, undefined])
    const proven = await verify(shown, asAgent(friend, shown))
    const authorization = `EEP-Session ${proven.json().session_token}`
    await expectOpen({ authorization, 'eep-agent-did': friend.did })

    await guard({ type: 'capability', required_capabilities: ['cite'] })
    const first = await verify(body(declared), asAgent(agent, body(declared)))
    const carried = { authorization: `EEP-Session ${first.json().session_token}` }
    await expectOpen({ ...carried, 'eep-agent-did': agent.did })
    const again = await verify(shown, { ...asAgent(agent, shown), ...carried })
    expect([again.statusCode, again.json().session_token]).toEqual([200, undefined])
  })

  it('rejects proofs in the format of EEP, whatever the client accepts', async () => {
    await guard({ type: 'capability', required_capabilities: ['cite'] })
    const refusal = await verify(body(declared))
    expect(refusal.statusCode).toBe(403)
    expect(refusal.headers['content-type']).toContain('application/problem+json')
    expect(Object.keys(refusal.json()).sort()).toEqual(
      [
        'current_tier',
        'error',
        'gates_config_url',
        'required_tier',
        'resource',
        'status',
        'title',
        'type',
        'unmet_requirements',
      ].sort(),
    )
    await guard(GUARDED_PRICE)
    const unpaid = await verify(body(declared))
    expect([unpaid.statusCode, unpaid.json().error, unpaid.json().title]).toEqual([
      402,
      'access_restricted',
      'Payment Required',
    ])
  })

  it('requires no proofs for open resources', async () => {
    const answer = await verify(JSON.stringify({ resource: 'content.welcome' }))
    expect(answer.json()).toEqual({
      access: 'granted',
      granted: true,
      resource: 'content.welcome',
      tier: 'public',
    })
  })

  it('returns 404 for unknown entities and rejects invalid resources', async () => {
    const missing = await client(service.app).post('/eep/gates/did:web:profiles.example:u:unknown/verify-proof', {
      resource: 'content.x',
    })
    expect(missing.statusCode).toBe(404)
    for (const resource of ['', 'Content.x', 'a/b', 7]) {
      expect((await verify(JSON.stringify({ resource }))).statusCode).toBe(400)
    }
  })
})
