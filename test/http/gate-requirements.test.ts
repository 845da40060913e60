import { describe, expect, it } from 'vitest'
import { proveAddress, signUp } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { GUARDED_PRICE, GUARDED_WORD, openGuardedPage } from '../support/guarded-page.ts'
import { decodeHeader } from '../support/shop.ts'

const { service, web, owner, path, cashWallets, did, guard, expectClosed, expectOpen } = await openGuardedPage()

const proofs = (...list: object[]) => ({ 'x-eep-proofs': JSON.stringify(list) })
const signed = (agent: TestAgent) => agent.sign({ path })

describe('a gate with an identity requirement', () => {
  it('admits an agent that signs, and no unsigned one', async () => {
    await guard({ type: 'identity', method: 'did_verified' })
    const agent = keyAgent()
    const refusal = await expectClosed({ 'eep-agent-did': agent.did })
    expect(refusal.json()).toMatchObject({
      error: { code: 'access_forbidden' },
      required_tier: 'inner',
      unmet_requirements: [{ type: 'identity', resolution_hint: expect.any(String) }],
      preview: 'A taste.',
    })
    await expectOpen(signed(agent))
  })

  it('admits an agent with its own domain when the gate requires one', async () => {
    await guard({ type: 'identity', method: 'domain_verified' })
    await expectClosed(signed(keyAgent()))
    await expectOpen(signed(web))
  })

  it.each(['email_verified', 'any'])(
    'admits accounts whose person owns the address when it asks for %s',
    async (method) => {
      await guard({ type: 'identity', method })
      const guest = await signUp(service.app)
      await expectClosed(guest.headers)
      // The link in the email was opened by a person who does not know the password of the account.
      await service.storage.transaction((tx) => tx.accounts.save(guest.account.id, { emailVerified: true }))
      await expectClosed(guest.headers)
      await proveAddress(service, guest)
      await expectOpen(guest.headers)
    },
  )

  it('admits no caller when no verifier exists for a check', async () => {
    await guard({ type: 'identity', method: 'kyc' })
    await expectClosed(signed(web))
  })

  it('admits the DIDs of an allowlist, by signature or by an owned profile', async () => {
    const agent = keyAgent()
    const guest = await signUp(service.app, 'herschel')
    await guard({ type: 'allowlist', dids: [agent.did, 'did:web:profiles.example:u:herschel'] })
    await expectOpen(signed(agent))
    await expectOpen(guest.headers)
    await expectClosed(signed(keyAgent()))
    await expectClosed((await signUp(service.app)).headers)
    await expectClosed({ 'eep-agent-did': agent.did })
  })

  it('admits followers, followed profiles or mutual connections as required', async () => {
    const follow = (from: Writer, to: Writer) => from.post(`/connections/u/${to.account.username}`)
    const fan = await createWriter(service.app)
    const idol = await createWriter(service.app)
    const friend = await createWriter(service.app)
    const outsider = await createWriter(service.app)
    for (const [from, to] of [
      [fan, owner],
      [owner, idol],
      [friend, owner],
      [owner, friend],
    ] as const) {
      expect((await follow(from, to)).statusCode).toBe(201)
    }
    const people = { fan, idol, friend, outsider }
    const welcome = {
      follower: ['fan', 'friend'],
      following: ['idol', 'friend'],
      mutual: ['friend'],
      any: ['fan', 'idol', 'friend'],
    }
    for (const [relation, names] of Object.entries(welcome)) {
      await guard({ type: 'connection', relation })
      for (const [name, person] of Object.entries(people)) {
        if (names.includes(name)) await expectOpen(person.headers)
        else await expectClosed(person.headers)
      }
      await expectClosed()
      await expectClosed(signed(keyAgent()))
      // A claimed connection does not count.
      const claim = { type: 'connection', subscriber_did: 'did:web:profiles.example:u:babbage', relation }
      await expectClosed({ ...outsider.headers, ...proofs(claim) })
    }
    await guard({ type: 'connection', relation: 'follower' })
    await fan.delete(`/connections/u/${owner.account.username}`)
    await expectClosed(fan.headers)
  })

  it('considers only the profile of a key for one profile', async () => {
    const fan = await createWriter(service.app)
    await fan.post('/connections/u/babbage')
    await guard({ type: 'connection', relation: 'follower' })
    const place = { profile_type: 'place', username: `place-of-${fan.account.username}` }
    await fan.post('/profiles', place)
    const { id: placeId } = await fan.getJson(`/profiles/l/${place.username}`)
    const keyFor = async (profileId: number) =>
      (await newKey(service.app, fan.headers, { profile_id: profileId, scopes: ['read:content'] })).headers
    await expectOpen(await keyFor(fan.profileId))
    await expectClosed(await keyFor(placeId))
  })

  it('admits visitors with a sufficient trust score, by account or by signature', async () => {
    const ask = (score: number) => guard({ type: 'trust', min_score: score })
    const guest = await createWriter(service.app)
    await ask(0)
    await expectOpen()
    await ask(15)
    await expectClosed(guest.headers)
    const whole = { avatar_url: 'https://example.com/a.png', bio: 'Me.', socials: { github: '@me' }, skills: ['sums'] }
    await guest.put('/manage/profile', whole)
    await expectOpen(guest.headers)
    await ask(16)
    await expectClosed(guest.headers)

    await ask(40)
    await expectOpen(signed(keyAgent()))
    await expectClosed({ 'eep-agent-did': keyAgent().did })
    await expectClosed(proofs({ type: 'trust', self_attested: true }))
    await ask(41)
    await expectClosed(signed(keyAgent()))
    await expectOpen(signed(web))
    await ask(66)
    await expectClosed(signed(web))
    // Two that are trusted a little are not trusted a lot.
    await expectClosed({ ...signed(web), ...guest.headers })
  })

  it('accepts the capabilities that a signing agent declares', async () => {
    await guard({ type: 'capability', required_capabilities: ['translate', 'cite'] })
    const declared = (...capabilities: string[]) => proofs({ type: 'capability', declared_capabilities: capabilities })
    await expectOpen({ ...signed(keyAgent()), ...declared('cite', 'translate', 'more') })
    await expectClosed({ ...signed(keyAgent()), ...declared('cite') })
    await expectClosed(declared('cite', 'translate'))
  })

  it('admits visitors whose own gate admits this entity', async () => {
    const friend = await createWriter(service.app, 'lovelace')
    await guard({ type: 'reciprocal', access_level: 'partner' })
    const shown = proofs({
      type: 'reciprocal',
      entity_did: 'did:web:profiles.example:u:lovelace',
      granted_access: 'partner',
    })
    await expectClosed({ ...friend.headers, ...shown })
    await friend.put('/eep/gates/did:web:profiles.example:u:lovelace', {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        partner: { requirements: [{ type: 'allowlist', dids: [did] }], access: ['content.*'] },
      },
    })
    await expectOpen({ ...friend.headers, ...shown })
    await expectClosed(shown)
  })

  it('calls the verifier of the host for its types, and none for unknown types', async () => {
    await guard({ type: 'x-membership', name: 'menabrea' })
    await expectOpen((await signUp(service.app, 'menabrea')).headers)
    await expectClosed()
    await guard({ type: 'x-unheard-of' })
    await expectClosed(signed(keyAgent()))
  })
})

describe('a gate that asks for several things', () => {
  it('offers a payment when the payment is one of several alternatives', async () => {
    const agent = keyAgent()
    await guard({
      type: 'combined',
      combine_mode: 'any',
      requirements: [GUARDED_PRICE, { type: 'allowlist', dids: [agent.did] }],
    })
    const offer = await expectClosed({}, 402)
    expect(decodeHeader(offer, 'payment-required').accepts).toHaveLength(1)
    await expectOpen(signed(agent))
  })

  it('admits a profile of this service that an allowlist within a combined requirement names', async () => {
    const guest = await signUp(service.app)
    const did = `did:web:profiles.example:u:${guest.account.username}`
    const listed = { type: 'allowlist', dids: [did] }
    await guard({ type: 'combined', combine_mode: 'any', requirements: [{ type: 'trust', min_score: 100 }, listed] })
    await expectOpen(guest.headers)
    await expectClosed((await signUp(service.app)).headers)
  })

  it('offers a payment only to callers that meet the other requirements', async () => {
    const agent = keyAgent()
    await guard(GUARDED_PRICE, { type: 'allowlist', dids: [agent.did] })
    const refusal = await expectClosed()
    expect(refusal.json().unmet_requirements.map(({ type }: { type: string }) => type)).toEqual([
      'payment',
      'allowlist',
    ])
    expect(refusal.headers['payment-required']).toBeUndefined()
    const offer = await expectClosed(signed(agent), 402)
    expect(offer.json().unmet_requirements.map(({ type }: { type: string }) => type)).toEqual(['payment'])
    // An offer that was cached within the same second is not shared between them.
    expect((await expectClosed()).json().unmet_requirements).toHaveLength(2)
  })

  it('lists the unmet parts of a combined requirement', async () => {
    await guard({
      type: 'combined',
      combine_mode: 'all',
      requirements: [
        { type: 'identity', method: 'did_verified' },
        { type: 'capability', required_capabilities: ['cite'] },
      ],
    })
    const refusal = await expectClosed(signed(keyAgent()))
    expect(refusal.json().unmet_requirements.map(({ type }: { type: string }) => type)).toEqual(['capability'])
  })
})

describe('the purchases of an agent', () => {
  it('are open to its signature, whichever wallet paid', async () => {
    await guard(GUARDED_PRICE)
    const agent = keyAgent()
    const offer = await expectClosed({}, 402)
    const payment = cashWallets.answer(String(offer.headers['payment-required']), { wallet: 'wallet:of-the-operator' })
    await expectOpen({ ...signed(agent), ...payment })
    await expectOpen(signed(agent))
    await expectClosed(signed(keyAgent()), 402)
    await expectClosed({ 'x-eep-payer-wallet': agent.did, 'x-eep-payer-network': 'did:key' }, 402)
  })
})

describe('the owner of a gate', () => {
  const explain = (query: string, headers: Record<string, string> = owner.headers) =>
    client(service.app).get(`/eep/gates/${did}/explain?${query}`, headers)

  it('shows the owner who can read a resource, and why', async () => {
    await guard(GUARDED_PRICE)
    const closed = await explain('resource=content.notes.kept')
    expect(closed.json()).toMatchObject({
      state: 'closed',
      reason: expect.stringContaining('inner covers it by content.notes.*'),
      default_tier: { tier: 'public', pattern: 'content.*' },
      tiers: [{ tier: 'inner', opens_by: 'payment', requirements: [{ verifiable: true }] }],
      visitor: { granted: false, unmet_requirements: [{ type: 'payment' }] },
    })
    expect((await explain('resource=content.welcome')).json()).toMatchObject({ state: 'open', tiers: [] })
    await guard({ type: 'x-unheard-of' })
    expect((await explain('resource=content.notes.kept')).json().tiers).toMatchObject([{ opens_by: 'nothing' }])
    const otherUser = await signUp(service.app)
    expect((await explain('resource=content.x', otherUser.headers)).statusCode).toBe(403)
    expect((await explain('resource=../x')).statusCode).toBe(400)
  })

  it('shows the owner earlier versions of the gate', async () => {
    const versions = await owner.get(`/eep/gates/${did}/versions?limit=2`)
    const { data, pagination } = versions.json()
    expect(data).toHaveLength(2)
    expect(data[0].version).toBe(data[1].version + 1)
    expect(data[0]).toMatchObject({ changed_by: owner.account.id, bytes: expect.any(Number) })
    expect(data[0]).not.toHaveProperty('config')
    expect(pagination.total).toBe(data[0].version)
    const otherUser = await signUp(service.app)
    const refused = await otherUser.get(`/eep/gates/${did}/versions`)
    expect(refused.statusCode).toBe(403)
  })
})

describe('legally restricted content', () => {
  it('returns 451 as JSON and as a problem document, also to the owner', async () => {
    const url = `${owner.contents}/forbidden-here`
    const answer = await owner.get(url)
    expect(answer.statusCode).toBe(451)
    expect(answer.body).not.toContain(GUARDED_WORD)
    expect(answer.json()).toMatchObject({ error: { code: 'legally_restricted' }, jurisdiction: 'DE' })
    const problem = await client(service.app).get(url, { accept: 'application/problem+json' })
    expect(problem.json()).toEqual({
      type: 'https://eep.dev/problems/legally-restricted',
      title: 'Unavailable For Legal Reasons',
      status: 451,
      error: 'legally_restricted',
      resource: 'content.forbidden_here',
      reason: 'A court said so.',
      jurisdiction: 'DE',
    })
  })
})
