import { randomUUID } from 'node:crypto'
import { endOfLog, eventsAfter, serviceProbe } from '@eep/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, didOf, type Person, signUp } from '../support/accounts.ts'
import { keyAgent, type TestAgent } from '../support/agents.ts'
import { newKey } from '../support/api-keys.ts'
import { client, type Headers } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { advice, bodyOf, type Deal, listService, NEGOTIATIONS, openDeal, price, WAYS } from '../support/deals.ts'
import { openInstances } from '../support/instances.ts'
import { countingIn } from '../support/rate-limits.ts'
import { newMember, newOrganization } from '../support/teams.ts'

const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock })
const probe = serviceProbe()
const app = await instance({ modules: [probe.module] })

const ACTIONS = ['counter', 'accept', 'reject', 'expire', 'invoice', 'receipt', 'complete', 'dispute']
/** The moves that EEP defines for each state. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  open: ['counter', 'accept', 'reject', 'expire'],
  countered: ['counter', 'accept', 'reject', 'expire'],
  accepted: ['invoice', 'complete', 'dispute'],
  invoiced: ['receipt', 'dispute'],
  paid: ['complete', 'dispute'],
  disputed: ['accept', 'reject', 'complete'],
}
const HOUR_MS = 3_600_000

const emittedEvents = async (after: string) =>
  (await eventsAfter(database.storage, after)).filter(({ type }) => type.startsWith('commerce.'))
const head = () => endOfLog(database.storage)
const offer = (who: Person, body: object) => who.post(NEGOTIATIONS, body)
const listed = async (who: Person, query = '') => (await who.get(`${NEGOTIATIONS}${query}`)).json()

describe('a deal', () => {
  it('moves a deal from offer through invoice and receipt to completion, with its history', async () => {
    const after = await head()
    const deal = await openDeal(app, {}, { reason: 'As we said', metadata: { topic: 'engines' } })
    const { buyer, seller } = deal
    const first = (await buyer.get(deal.path)).json()
    expect(first).toMatchObject({
      negotiation_id: expect.stringMatching(/^neg_[a-zA-Z0-9]{8,32}$/),
      state: 'open',
      version: 1,
      role: 'buyer',
      allowed_actions: ['reject', 'expire'],
      seller_did: didOf(seller),
      buyer_did: didOf(buyer),
      service: 'Advice',
      pricing: price(90),
      pricing_mode: 'negotiable',
      offered_by: 'buyer',
      metadata: { topic: 'engines' },
      invoice: null,
    })
    const counter = { pricing: price(80), terms: { conditions: ['By Friday'] }, reason: 'Less is enough' }
    const { body: countered } = await deal.move(seller, 'counter', counter)
    expect(countered).toMatchObject({ state: 'countered', version: 2, role: 'seller', pricing: price(80) })
    expect(countered).toMatchObject({ allowed_actions: ['reject', 'expire'], terms: counter.terms })
    await deal.play('buyer accept', 'seller invoice', 'buyer receipt')
    const { body: done } = await deal.move(buyer, 'complete')
    expect(done).toMatchObject({ state: 'completed', version: 6, allowed_actions: [] })
    expect(done).toMatchObject({ invoice: bodyOf('invoice'), receipt: { receipt_id: 'slip-1', verified: false } })
    const { history } = (await seller.get(deal.path)).json()
    expect(
      history.map(({ version, action, state, by }: Record<string, unknown>) => [version, action, state, by]),
    ).toEqual([
      [1, 'offer', 'open', 'buyer'],
      [2, 'counter', 'countered', 'seller'],
      [3, 'accept', 'accepted', 'buyer'],
      [4, 'invoice', 'invoiced', 'seller'],
      [5, 'receipt', 'paid', 'buyer'],
      [6, 'complete', 'completed', 'buyer'],
    ])
    expect(history[0].data).toEqual({ pricing: price(90), reason: 'As we said' })
    expect(history[1].data).toEqual(counter)
    const events = await emittedEvents(after)
    expect(events.map(({ type }) => type)).toEqual([
      'commerce.offer_made',
      'commerce.offer_countered',
      'commerce.offer_accepted',
      'commerce.deal_invoiced',
      'commerce.deal_paid',
      'commerce.deal_completed',
    ])
    expect(events[1]).toMatchObject({
      profileId: seller.account.active_profile_id,
      accountId: seller.account.id,
      data: { negotiationId: deal.id, by: 'seller', buyerProfileId: buyer.account.active_profile_id, version: 2 },
    })
  })

  describe('in each state', () => {
    let people: Pick<Deal, 'buyer' | 'seller'>
    beforeAll(async () => {
      people = { buyer: await signUp(app), seller: await signUp(app) }
    })

    async function dealIn(state: string): Promise<Deal> {
      const deal = await openDeal(app, people)
      await deal.play(...(WAYS[state] ?? []))
      expect((await deal.seller.get(deal.path)).json().state).toBe(state)
      return deal
    }
    const tryBoth = async ({ move, seller, buyer }: Deal, action: string) => [
      await move(seller, action, bodyOf(action)),
      await move(buyer, action, bodyOf(action)),
    ]

    it.each(Object.entries(ALLOWED))('lets one side make each move that EEP defines: %s', async (state, allowed) => {
      for (const action of allowed) {
        const answers = await tryBoth(await dealIn(state), action)
        expect(
          answers.some(({ status }) => status === 200),
          JSON.stringify(answers),
        ).toBe(true)
      }
    })

    it.each(Object.keys(WAYS))(
      'refuses every other move, lists the allowed ones, and changes nothing: %s',
      async (state) => {
        const allowed = ALLOWED[state] ?? []
        const deal = await dealIn(state)
        const before = (await deal.seller.get(deal.path)).json()
        for (const action of ACTIONS.filter((each) => !allowed.includes(each))) {
          const answers = await tryBoth(deal, action)
          expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
            [409, 'invalid_transition'],
            [409, 'invalid_transition'],
          ])
          expect(answers[0]?.body.error?.details).toEqual({ state, action, allowed })
          expect((await deal.seller.get(deal.path)).json()).toEqual(before)
        }
      },
    )
  })

  it('lets each side make its own moves only', async () => {
    const deal = await openDeal(app)
    const { seller, buyer } = deal
    const refused = async (who: Person, action: string) =>
      (await deal.move(who, action, bodyOf(action))).body.error?.code
    for (const action of ['accept', 'counter']) expect(await refused(buyer, action)).toBe('not_your_move')
    expect(await refused(seller, 'expire')).toBe('not_your_move')
    await deal.play('seller accept')
    expect([await refused(buyer, 'invoice'), await refused(seller, 'complete')]).toEqual([
      'not_your_move',
      'not_your_move',
    ])
    await deal.play('seller invoice')
    expect(await refused(seller, 'receipt')).toBe('not_your_move')
  })

  it('lets only the parties read and move a negotiation, and only administrators of a team', async () => {
    const shop = await newOrganization(app)
    const buyer = await signUp(app)
    const body = { seller_did: `did:web:profiles.example:o:${shop.username}`, service: 'Advice', pricing: price(9) }
    const path = `${NEGOTIATIONS}/${(await offer(buyer, body)).json().negotiation_id}`
    const [admin, editor] = [await newMember(app, shop, 'admin'), await newMember(app, shop, 'editor')]
    for (const who of [editor, await signUp(app)]) {
      expect(codeOf(await who.get(path))).toBe('negotiation_not_found')
      expect(codeOf(await who.post(`${path}/accept`))).toBe('negotiation_not_found')
    }
    expect(codeOf(await admin.get(`${NEGOTIATIONS}/neg_12345678`))).toBe('negotiation_not_found')
    expect((await admin.get(path)).json().role).toBe('seller')
    expect((await admin.post(`${path}/accept`)).json().state).toBe('accepted')
    expect(codeOf(await offer(editor, body))).toBe('cannot_negotiate_with_self')
  })

  it('lets one of two concurrent moves win, and returns the current state to the other', async () => {
    for (let round = 0; round < 5; round++) {
      const deal = await openDeal(app)
      const moves = await Promise.all([
        deal.move(deal.seller, 'accept'),
        deal.move(deal.seller, 'counter', { pricing: price(1) }),
        deal.move(deal.buyer, 'reject'),
        deal.move(deal.buyer, 'expire'),
      ])
      expect(moves.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status } of moves) expect([200, 403, 409, 412]).toContain(status)
      expect((await deal.buyer.get(deal.path)).json().version).toBe(2)
    }
  })

  it('accepts a move only for the version in If-Match', async () => {
    const deal = await openDeal(app)
    const tag = String((await deal.seller.get(deal.path)).headers.etag)
    await deal.play('seller counter', 'buyer counter')
    const late = await deal.move(deal.seller, 'accept', undefined, { 'if-match': tag })
    expect([late.status, late.body.error?.code]).toEqual([412, 'negotiation_changed'])
    const now = String((await deal.seller.get(deal.path)).headers.etag)
    expect((await deal.move(deal.seller, 'accept', undefined, { 'if-match': now })).body.state).toBe('accepted')
  })

  it('applies a move once per Idempotency-Key', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const send = () =>
      client(app).post(
        NEGOTIATIONS,
        { seller_did: didOf(seller), service: 'Advice', pricing: price(9) },
        { ...buyer.headers, 'idempotency-key': 'an-offer' },
      )
    expect((await send()).json()).toEqual((await send()).json())
    expect((await listed(buyer)).pagination.total).toBe(1)
  })
})

describe('an offer', () => {
  it('accepts an offer for a listed service at its price, or another price if negotiable', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const fixed = await listService(seller)
    const open = await listService(seller, advice({ negotiable: true }))
    const paused = await listService(seller, advice({ status: 'paused' }))
    const free = await listService(seller, advice({ pricing: { model: 'free', currency: 'usd' } }))
    const make = (service: string, more: object = {}) => offer(buyer, { pay_to_did: didOf(seller), service, ...more })
    const made = (await make(fixed)).json()
    expect(made).toMatchObject({ pricing: price(100), pricing_mode: 'fixed' })
    expect(codeOf(await make(fixed, { pricing: price(99) }))).toBe('price_not_negotiable')
    const path = `${NEGOTIATIONS}/${made.negotiation_id}/counter`
    expect(codeOf(await seller.post(path, { pricing: price(99) }))).toBe('price_not_negotiable')
    expect((await seller.post(path, { terms: { delivery: 'sse' } })).json()).toMatchObject({
      state: 'countered',
      pricing: price(100),
      terms: { delivery: 'sse' },
    })
    expect((await make(open, { pricing: price(50) })).json()).toMatchObject({ pricing_mode: 'negotiable' })
    expect((await make(open)).json().pricing).toEqual(price(100))
    for (const service of [paused, free, 'svc_none']) expect(codeOf(await make(service))).toBe('service_unavailable')
    expect(codeOf(await make('Something else'))).toBe('validation_failed')
  })

  it.each([
    ['no seller', { seller_did: undefined }],
    ['two sellers', { pay_to_did: 'did:web:profiles.example:u:ada' }],
    ['a free price', { pricing: { model: 'free', currency: 'usd' } }],
    ['a minute too short', { terms: { expires_in: 59 } }],
    ['a condition too many', { terms: { conditions: Array(11).fill('x') } }],
    ['an uptime over a hundred', { terms: { sla: { uptime_percent: 101 } } }],
  ])('rejects an offer with %s', async (_, wrong) => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const good = { seller_did: didOf(seller), service: 'Advice', pricing: price(9) }
    expect(codeOf(await offer(buyer, { ...good, ...wrong }))).toBe('validation_failed')
  })

  it('rejects offers to own, private and unknown profiles', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const make = (did: string) => offer(buyer, { seller_did: did, service: 'Advice', pricing: price(9) })
    expect(codeOf(await make(didOf(buyer)))).toBe('cannot_negotiate_with_self')
    expect(codeOf(await make('did:web:elsewhere.example'))).toBe('profile_not_found')
    const own = await newOrganization(app, buyer)
    expect(codeOf(await make(`did:web:profiles.example:o:${own.username}`))).toBe('cannot_negotiate_with_self')
    await seller.put(`/profiles/${seller.account.active_profile_id}/visibility`, { visibility: 'private' })
    expect(codeOf(await make(didOf(seller)))).toBe('profile_not_found')
    const { headers } = await newKey(app, buyer.headers, {
      scopes: ['commerce:negotiate'],
      profile_id: buyer.account.active_profile_id,
    })
    const payload = { seller_did: `did:web:profiles.example:o:${own.username}`, service: 'Advice', pricing: price(9) }
    expect(codeOf(await client(app).post(NEGOTIATIONS, payload, headers))).toBe('cannot_negotiate_with_self')
  })

  it('makes an offer as the acting profile', async () => {
    const [seller, buyer] = [await signUp(app), await signUp(app)]
    const shop = await newOrganization(app, buyer)
    const headers = { ...buyer.headers, 'x-active-profile-id': String(shop.id) }
    const payload = { seller_did: didOf(seller), service: 'Advice', pricing: price(9) }
    const made = await client(app).post(NEGOTIATIONS, payload, headers)
    expect(made.json().buyer_did).toBe(`did:web:profiles.example:o:${shop.username}`)
    expect((await listed(buyer)).data).toEqual([])
    expect((await client(app).get(NEGOTIATIONS, headers)).json().data).toHaveLength(1)
    const foreign = { ...(await signUp(app)).headers, 'x-active-profile-id': String(shop.id) }
    expect(codeOf(await client(app).post(NEGOTIATIONS, payload, foreign))).toBe('not_profile_owner')
  })

  it('expires an offer for every reader and mover, and records the expiry once across instances', async () => {
    const otherProbe = serviceProbe()
    await instance({ modules: [otherProbe.module] })
    const after = await head()
    const terms = { expires_in: 3_600 }
    const deals = [
      await openDeal(app, {}, { terms }),
      await openDeal(app, {}, { terms }),
      await openDeal(app, {}, { terms }),
    ]
    const [read, moved, swept] = deals as [(typeof deals)[0], (typeof deals)[0], (typeof deals)[0]]
    await at(clock().getTime() + HOUR_MS - 1_000, async () => {
      expect((await read.seller.get(read.path)).json().state).toBe('open')
    })
    await at(clock().getTime() + HOUR_MS, async () => {
      // The expiry is not stored yet, but listed.
      expect((await listed(read.seller, '?state=expired')).data[0].negotiation_id).toBe(read.id)
      expect((await listed(read.seller, '?state=open')).data).toEqual([])
      expect((await listed(read.seller)).data[0]).toMatchObject({ state: 'expired', allowed_actions: [] })
      const seen = (await read.seller.get(read.path)).json()
      expect([seen.state, seen.history.at(-1).by]).toEqual(['expired', 'service'])
      const { status, body } = await moved.move(moved.seller, 'accept')
      expect([status, body.error?.details]).toEqual([409, { state: 'expired', action: 'accept', allowed: [] }])
      const again = await moved.move(moved.seller, 'expire')
      expect([again.status, again.body.error?.code]).toEqual([409, 'invalid_transition'])
      const counts = await Promise.all(
        [probe, otherProbe, probe].map(async ({ services }) => services.negotiations?.expireDue() ?? 0),
      )
      expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(1)
      expect((await swept.seller.get(swept.path)).json()).toMatchObject({ state: 'expired', version: 2 })
      expect(await probe.services.negotiations?.expireDue()).toBe(0)
    })
    const expired = (await emittedEvents(after)).filter(({ type }) => type === 'commerce.offer_expired')
    expect(expired.map(({ data }) => data.negotiationId).toSorted()).toEqual(deals.map(({ id }) => id).toSorted())
  })

  it('restarts the expiry with each counter-offer, by its terms', async () => {
    const deal = await openDeal(app, {}, { terms: { expires_in: 60 } })
    const later = clock().getTime() + 50_000
    const { body } = await at(later, () => deal.move(deal.seller, 'counter', { pricing: price(1) }))
    expect(body.expires_at).toBe(new Date(later + 60_000).toISOString())
  })
})

describe('the list', () => {
  it('lists the deals of both sides in pages, with filters', async () => {
    const [ada, bert] = [await signUp(app), await signUp(app)]
    const sold = await openDeal(app, { buyer: bert, seller: ada })
    const bought = await openDeal(app, { buyer: ada, seller: bert })
    const rejected = await openDeal(app, { buyer: ada })
    await rejected.play('seller reject')
    const ids = async (query = '') =>
      (await listed(ada, query)).data.map(({ negotiation_id: id }: Record<string, string>) => id).toSorted()
    expect(await ids()).toEqual([sold.id, bought.id, rejected.id].toSorted())
    expect(await ids('?role=seller')).toEqual([sold.id])
    expect(await ids('?role=buyer&state=open')).toEqual([bought.id])
    const page = await listed(ada, '?limit=2')
    const rest = await listed(ada, `?limit=2&cursor=${page.pagination.next_cursor}`)
    expect([page.data.length, rest.data.length, rest.pagination.total]).toEqual([2, 1, 3])
    expect((await ada.get(`${NEGOTIATIONS}?cursor=x`)).statusCode).toBe(400)
    expect((await ada.get(`${NEGOTIATIONS}?state=sold`)).statusCode).toBe(400)
  })

  /** Opens a deal as an agent without an account. */
  function openAsAgent(agent: TestAgent, seller: Person, more: Headers = {}, server = app) {
    const payload = JSON.stringify({ seller_did: didOf(seller), service: 'Advice', pricing: price(9) })
    const signed = agent.sign({ method: 'POST', path: NEGOTIATIONS, body: payload })
    return client(server).post(NEGOTIATIONS, payload, { ...signed, 'content-type': 'application/json', ...more })
  }

  it('accepts an Idempotency-Key of an agent, whose signature is used once anyway', async () => {
    const answer = await openAsAgent(keyAgent(), await signUp(app), { 'idempotency-key': randomUUID() })
    expect(answer.statusCode, answer.body).toBe(201)
  })

  it('limits the offers of all agents to one seller in an hour, and not those of accounts', async () => {
    const hits = new Map<string, number>()
    const limited = await instance({ limits: { rateLimit: { store: countingIn(hits), multiplier: 1_000 } } })
    const [seller, other] = [await signUp(limited), await signUp(limited)]
    // The limit of 100, multiplied, less one.
    hits.set(`offers:to:${seller.account.active_profile_id}`, 99_999)
    expect((await openAsAgent(keyAgent(), seller, {}, limited)).statusCode).toBe(201)
    const refused = await openAsAgent(keyAgent(), seller, {}, limited)
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'too_many_offers'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60)
    expect((await openAsAgent(keyAgent(), other, {}, limited)).statusCode).toBe(201)
    const buyer = await signUp(limited)
    expect((await offer(buyer, { seller_did: didOf(seller), service: 'Advice', pricing: price(9) })).statusCode).toBe(
      201,
    )
  })

  it('shows an agent only its own deals', async () => {
    const [agent, other] = [keyAgent(), keyAgent()]
    const made = await openAsAgent(agent, await signUp(app))
    const id = made.json().negotiation_id
    const get = (path: string, who = agent) => client(app).get(path, who.sign({ path }))
    expect((await get(NEGOTIATIONS)).json().data[0]).toMatchObject({ negotiation_id: id, buyer_did: agent.did })
    expect((await get(NEGOTIATIONS, other)).json().data).toEqual([])
    expect((await get(`${NEGOTIATIONS}/${id}`)).json().role).toBe('buyer')
    expect(codeOf(await get(`${NEGOTIATIONS}/${id}`, other))).toBe('negotiation_not_found')
    expect((await client(app).get(NEGOTIATIONS, { 'eep-agent-did': agent.did })).statusCode).toBe(401)
  })
})
