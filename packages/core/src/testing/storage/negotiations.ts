import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ERASED_DID } from '../../kernel/erased-ids.ts'
import { invalidCursor } from '../../kernel/page.ts'
import type { Negotiation, NegotiationChanges, NegotiationQuery } from '../../ports/storage/commerce.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName, newListing, newMove, newNegotiation, newReview } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

const at = (second: number) => new Date(Date.UTC(2026, 6, 6, 0, 0, second))
const { version: _, state: __, ...acceptance } = newMove({ action: 'accept', by: 'seller', data: { reason: ODD_TEXT } })

export const negotiationCases = casesFor(['negotiations', 'listings'], (it, bench) => {
  const sides = async () => [(await bench.profile()).id, (await bench.profile()).id] as const
  const opened = async (negotiation: Negotiation) => {
    await bench.write((tx) => tx.negotiations.insert(negotiation, newMove()))
    return negotiation
  }
  const moving =
    (id: string, version: number, changes: Partial<NegotiationChanges> = {}, move = acceptance) =>
    (tx: Stores<'negotiations' | 'listings'>) =>
      tx.negotiations.move(id, version, { state: 'accepted', updatedAt: at(5), ...changes }, move)

  it('returns the names of many deals, without those of private and withdrawn profiles', async () => {
    const [seller, buyer] = [await bench.profile(), await bench.profile()]
    const listing = newListing(seller.id)
    await bench.write((tx) => tx.listings.insert(listing))
    const [listed, spoken] = [
      await opened(newNegotiation(seller.id, buyer.id, { service: listing.id })),
      await opened(newNegotiation(seller.id, null, { service: ODD_TEXT })),
    ]
    const nameOf = ({ type, username, fullName }: typeof seller) => ({ type, username, fullName })
    const names = async () => {
      const found = await bench.read.negotiations.listNames([listed.id, spoken.id, 'neg_none'])
      return new Map(found.map(({ id, ...name }) => [id, name]))
    }
    assert.deepEqual(
      await names(),
      new Map([
        [listed.id, { service: listing.details.name, seller: nameOf(seller), buyer: nameOf(buyer) }],
        [spoken.id, { service: null, seller: nameOf(seller), buyer: null }],
      ]),
    )
    await bench.write((tx) => tx.profiles.save(buyer.id, { visibility: 'private', updatedAt: at(1) }))
    assert.equal((await names()).get(listed.id)?.buyer, null)
    await bench.write((tx) => tx.profiles.withdrawOfAccount(seller.ownerAccountId, at(1)))
    assert.equal((await names()).get(listed.id)?.seller, null)
    assert.deepEqual(await bench.read.negotiations.listNames([]), [])
  })

  it('stores a negotiation and its history unchanged', async () => {
    const [seller, buyer] = await sides()
    const offer = newMove({ data: { reason: ODD_TEXT } })
    const negotiation = newNegotiation(seller, buyer, { service: ODD_TEXT, metadata: { a: [1, null, { b: '' }] } })
    await bench.write((tx) => tx.negotiations.insert(negotiation, offer))
    assert.deepEqual(await bench.read.negotiations.get(negotiation.id), negotiation)
    assert.deepEqual(await bench.read.negotiations.listMoves(negotiation.id), [offer])
    const changes: NegotiationChanges = {
      state: 'countered',
      updatedAt: at(7),
      offeredBy: 'seller',
      pricing: { model: 'metered', currency: 'eur', unit: 'page', rate: 0.01 },
      terms: { conditions: [ODD_TEXT] },
      expiresAt: at(99),
      invoice: { invoice_id: 'i-1', amount: 9, currency: 'eur' },
      receipt: { receipt_id: 'r-1', payment_proof: { type: 'cash', token: ODD_TEXT }, verified: true },
      dispute: { reason_code: 'late', opened_by: 'buyer', opened_at: at(6).toISOString() },
    }
    const move = { ...acceptance, action: 'counter' as const, accountId: null }
    const moved = await bench.write(moving(negotiation.id, 1, changes, move))
    assert.deepEqual(moved, { ...negotiation, ...changes, version: 2 })
    assert.deepEqual(await bench.read.negotiations.get(negotiation.id), moved)
    const moves = await bench.read.negotiations.listMoves(negotiation.id)
    assert.deepEqual(moves, [offer, { ...move, version: 2, state: 'countered' }])
    assert.equal(await bench.read.negotiations.get('neg_\0'), undefined)
    assert.deepEqual(await bench.read.negotiations.listMoves('neg_none'), [])
  })

  it('opens no negotiation with a profile that is deleted, also concurrently', async () => {
    const [seller, buyer] = await sides()
    const opening = (one: Negotiation) => (tx: Stores<'negotiations' | 'listings'>) =>
      tx.negotiations.insert(one, newMove())
    const gone = await bench.profile()
    await bench.write((tx) => tx.profiles.delete(gone.id))
    assert.equal(await bench.write(opening(newNegotiation(gone.id, buyer))), false)
    assert.equal(await bench.write(opening(newNegotiation(seller, gone.id))), false)
    const going = await bench.profile()
    const negotiations = [newNegotiation(going.id, buyer), newNegotiation(seller, going.id)]
    const { others } = await bench.overlap((tx) => eraseAccount(tx, going.ownerAccountId), negotiations.map(opening))
    assert.deepEqual(others, [false, false])
    for (const { id } of negotiations) assert.equal(await bench.read.negotiations.get(id), undefined)
    assert.equal(await bench.write(opening(newNegotiation(seller, null))), true)
  })

  it('erases the names in a negotiation that is opened while an account is purged', async () => {
    const going = await bench.profile()
    const negotiation = newNegotiation(going.id, (await bench.profile()).id)
    await bench.overlap(
      (tx) => tx.negotiations.insert(negotiation, newMove()),
      [(tx) => eraseAccount(tx, going.ownerAccountId)],
    )
    assert.equal((await bench.read.negotiations.get(negotiation.id))?.sellerDid, ERASED_DID)
  })

  it('lets exactly one of many concurrent moves succeed', async () => {
    const { id } = await opened(newNegotiation(...(await sides())))
    const { first, others } = await bench.overlap(moving(id, 1), [
      moving(id, 1, { state: 'countered' }),
      moving(id, 1, { state: 'rejected' }),
      moving(id, 1, { state: 'expired' }),
    ])
    assert.deepEqual([first?.state, first?.version], ['accepted', 2])
    assert.deepEqual(others, [undefined, undefined, undefined])
    const moves = await bench.read.negotiations.listMoves(id)
    assert.deepEqual(
      moves.map(({ version, state }) => [version, state]),
      [
        [1, 'open'],
        [2, 'accepted'],
      ],
    )
    assert.equal(await bench.write(moving(id, 1)), undefined)
    assert.equal(await bench.write(moving(id, 3)), undefined)
    assert.equal(await bench.write(moving('neg_none', 1)), undefined)
  })

  it('makes the next move when the first one is rolled back', async () => {
    const { id } = await opened(newNegotiation(...(await sides())))
    const { others } = await bench.overlap(moving(id, 1), [moving(id, 1, { state: 'rejected' })], 'rollback')
    assert.deepEqual(
      others.map((one) => one?.state),
      ['rejected'],
    )
    assert.equal((await bench.read.negotiations.listMoves(id)).length, 2)
  })

  it('accepts a payment for one negotiation only', async () => {
    const [one, two] = [
      await opened(newNegotiation(...(await sides()))),
      await opened(newNegotiation(...(await sides()))),
    ]
    const [a, b, c] = [freshName('payment'), freshName('payment'), freshName('payment')]
    const claiming =
      (keys: readonly string[], { id }: Negotiation) =>
      (tx: Stores<'negotiations' | 'listings'>) =>
        tx.negotiations.claimPayments(keys, id)
    const { first, others } = await bench.overlap(claiming([b, a], one), [
      claiming([a, b], two),
      claiming([a], one),
      claiming([c, b], two),
    ])
    assert.deepEqual([first, ...others], [true, false, false, false])
    assert.equal(await bench.write(claiming([c, c], two)), true, 'a failed claim takes no payment')
    assert.equal(await bench.write(claiming([c], one)), false)
  })

  it('lists the negotiations of a party, newest first, in pages, by side and state', async () => {
    const [ada, bert] = await sides()
    const agent = `did:key:${freshName()}`
    const now = new Date()
    const over = new Date(now.getTime() - 1)
    const made = [
      await opened(newNegotiation(ada, bert, { createdAt: at(1), expiresAt: over })),
      await opened(newNegotiation(bert, ada, { createdAt: at(2), state: 'countered' })),
      await opened(
        newNegotiation(ada, null, { createdAt: at(3), state: 'completed', expiresAt: over, buyerDid: agent }),
      ),
    ]
    const ids = async (query: Omit<NegotiationQuery, 'now'>) => {
      const { items, total } = await bench.read.negotiations.list({ ...query, now }, { limit: 9 })
      assert.equal(items.length, total)
      return items.map(({ id }) => made.findIndex((one) => one.id === id))
    }
    const party = { profileId: ada }
    assert.deepEqual(await ids({ party }), [2, 1, 0])
    assert.deepEqual(await ids({ party, side: 'seller' }), [2, 0])
    assert.deepEqual(await ids({ party, side: 'buyer' }), [1])
    assert.deepEqual(await ids({ party: { did: agent } }), [2])
    assert.deepEqual(await ids({ party: { did: agent }, side: 'seller' }), [])
    assert.deepEqual(
      await ids({ party: { did: present(made[0]).buyerDid } }),
      [],
      'a profile is not the agent with its DID',
    )
    assert.deepEqual(await ids({ party, state: 'expired' }), [0])
    assert.deepEqual(await ids({ party, state: 'open' }), [])
    assert.deepEqual(await ids({ party, state: 'countered' }), [1])
    const page = await bench.read.negotiations.list({ party, now }, { limit: 2 })
    const rest = await bench.read.negotiations.list({ party, now }, { limit: 2, cursor: page.nextCursor })
    assert.deepEqual(
      [...page.items, ...rest.items].map(({ id }) => id),
      made.map(({ id }) => id).reverse(),
    )
    assert.equal(rest.total, 3)
    await assert.rejects(bench.read.negotiations.list({ party, now }, { limit: 2, cursor: 'x' }), {
      code: invalidCursor.code,
    })
  })

  it('finds only offers that have expired', async () => {
    const [seller, buyer] = await sides()
    const due = await opened(newNegotiation(seller, buyer, { state: 'countered', expiresAt: at(1) }))
    const done = await opened(newNegotiation(seller, buyer, { state: 'accepted', expiresAt: at(1) }))
    const later = await opened(newNegotiation(seller, buyer, { expiresAt: at(3) }))
    const found = async (second: number) =>
      (await bench.read.negotiations.listDue(at(second), 1_000)).map(({ id }) => id)
    assert.equal((await found(0)).includes(due.id), false)
    assert.equal((await found(1)).includes(due.id), true)
    const ids = await found(3)
    assert.equal(ids.includes(done.id), false)
    assert.ok(ids.indexOf(due.id) < ids.indexOf(later.id))
    await bench.write(moving(due.id, 1, { state: 'expired' }))
    assert.equal((await found(3)).includes(due.id), false)
  })

  it('finds the oldest completed negotiation without a review', async () => {
    const [seller, buyer] = await sides()
    const service = await bench.write((tx) => tx.listings.insert(newListing(seller)))
    const deal = (changes: Partial<Negotiation>, who: number | null = buyer) =>
      opened(newNegotiation(seller, who, { service: service.id, state: 'completed', ...changes }))
    const next = (who: Parameters<typeof bench.read.negotiations.getReviewable>[0] = { profileId: buyer }) =>
      bench.read.negotiations.getReviewable(who, seller, service.id)
    const review = (id: string) => bench.write((tx) => tx.listings.insertReview(newReview(service, id)))
    await deal({ state: 'paid' })
    await deal({ service: 'svc_other' })
    assert.equal(await next(), undefined)
    const [young, old] = [await deal({ createdAt: at(2) }), await deal({ createdAt: at(1) })]
    const agent = `did:key:${freshName()}`
    const agents = await deal({ buyerDid: agent }, null)
    assert.equal(await next(), old.id)
    await review(old.id)
    assert.equal(await next(), young.id)
    await review(young.id)
    assert.equal(await next(), undefined)
    assert.equal(await next({ did: agent }), agents.id)
    assert.equal(await next({ did: `did:key:${randomUUID()}` }), undefined)
  })
})
