import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import type { Review } from '../../ports/storage/listings.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { eraseAccount } from '../erase-account.ts'
import { newListing, newMove, newNegotiation, newReview } from '../records.ts'
import { type Bench, casesFor, ODD_TEXT, present } from './bench.ts'

const at = (second: number) => new Date(Date.UTC(2026, 6, 6, 0, 0, second))

const listed = (
  bench: Bench<'negotiations' | 'listings'>,
  profile: Profile,
  changes: Parameters<typeof newListing>[1] = {},
) => bench.write((tx) => tx.listings.insert(newListing(profile.id, changes)))

/** A completed negotiation, for which a listing may be reviewed. */
async function dealt(bench: Bench<'negotiations' | 'listings'>, profile: Profile): Promise<string> {
  const negotiation = newNegotiation(profile.id, (await bench.profile()).id, { state: 'completed' })
  await bench.write((tx) => tx.negotiations.insert(negotiation, newMove()))
  return negotiation.id
}

export const listingCases = casesFor(['listings', 'negotiations'], (it, bench) => {
  it('stores the listings of a profile unchanged, in the order of insertion', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    assert.deepEqual(await bench.read.listings.listOfProfile(profile.id), [])
    assert.equal(await bench.read.listings.countOfProfile(profile.id), 0)
    const details = {
      ...newListing(1).details,
      description: ODD_TEXT,
      metadata: { a: 'b', c: 0.1, d: false },
      availability: { type: 'limited' as const, slots_remaining: 0 },
      pricing: { model: 'tiered_volume', currency: 'eur', tiers: [{ up_to: 'infinity' as const, rate: 0.5 }] },
    }
    const second = await listed(bench, profile, { createdAt: at(2) })
    const first = await listed(bench, profile, { createdAt: at(1), details })
    assert.deepEqual(first.details, details)
    assert.deepEqual(first.scores, { sum: 0, count: 0 })
    assert.deepEqual(await bench.read.listings.listOfProfile(profile.id), [first, second])
    assert.equal(await bench.read.listings.countOfProfile(profile.id), 2)
    assert.deepEqual(await bench.read.listings.get(profile.id, first.id), first)
    assert.equal(await bench.read.listings.get(other.id, first.id), undefined)
    assert.equal(await bench.read.listings.get(profile.id, 'svc_\0'), undefined)
  })

  it('replaces and deletes a listing only with its profile', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const listing = await listed(bench, profile)
    const changes = { details: { ...listing.details, name: 'More advice' }, updatedAt: at(9) }
    const save = (id: number, name = listing.id) => bench.write((tx) => tx.listings.save(id, name, changes))
    const remove = (id: number) => bench.write((tx) => tx.listings.delete(id, listing.id))
    assert.equal(await save(other.id), undefined)
    assert.equal(await save(profile.id, 'svc_none'), undefined)
    assert.deepEqual(await save(profile.id), { ...listing, ...changes })
    assert.deepEqual([await remove(other.id), await remove(profile.id), await remove(profile.id)], [false, true, false])
    assert.equal(await save(profile.id), undefined)
  })

  it('deletes the listings of a profile with the profile', async () => {
    const profile = await bench.profile()
    const listing = await listed(bench, profile)
    const negotiationId = await dealt(bench, profile)
    await bench.write((tx) => tx.listings.insertReview(newReview(listing, negotiationId)))
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.deepEqual(await bench.read.listings.listOfProfile(profile.id), [])
    assert.equal((await bench.read.listings.listReviews({ profileId: profile.id }, { limit: 9 })).total, 0)
    assert.notEqual(await bench.read.negotiations.get(negotiationId), undefined)
  })
})

export const reviewCases = casesFor(['listings', 'negotiations'], (it, bench) => {
  it('lets exactly one of many review a negotiation, and counts each score once', async () => {
    const profile = await bench.profile()
    const listing = await listed(bench, profile)
    const [deal, another] = [await dealt(bench, profile), await dealt(bench, profile)]
    const review = newReview(listing, deal, { score: 5, comment: ODD_TEXT })
    const { first, others } = await bench.overlap(
      (tx) => tx.listings.insertReview(review),
      [
        (tx) => tx.listings.insertReview(newReview(listing, deal, { score: 1 })),
        (tx) => tx.listings.insertReview(newReview(listing, another, { score: 2 })),
      ],
    )
    assert.deepEqual(first, review)
    assert.deepEqual(
      others.map((one) => one?.score),
      [undefined, 2],
    )
    assert.deepEqual((await bench.read.listings.get(profile.id, listing.id))?.scores, { sum: 7, count: 2 })
  })

  it('stores no review of a deleted listing or by a deleted reviewer', async () => {
    const profile = await bench.profile()
    const listing = await listed(bench, profile)
    const review = newReview(listing, await dealt(bench, profile))
    const { others } = await bench.overlap(
      (tx) => tx.listings.delete(profile.id, listing.id),
      [(tx) => tx.listings.insertReview(review)],
    )
    assert.deepEqual(others, [undefined])
    const [another, reviewer] = [await listed(bench, profile), await bench.profile()]
    const late = newReview(another, await dealt(bench, profile), { reviewerProfileId: reviewer.id })
    const purged = await bench.overlap(
      (tx) => eraseAccount(tx, reviewer.ownerAccountId),
      [(tx) => tx.listings.insertReview(late)],
    )
    assert.deepEqual(purged.others, [undefined])
  })

  it('lists the reviews of a profile or a listing, newest first, in pages', async () => {
    const profile = await bench.profile()
    const [one, two] = [await listed(bench, profile), await listed(bench, profile)]
    const made: string[] = []
    for (const [index, listing] of [one, two, one].entries()) {
      const review = newReview(listing, await dealt(bench, profile), { createdAt: at(Math.floor(index / 2)) })
      made.push(present(await bench.write((tx) => tx.listings.insertReview(review))).id)
    }
    const list = (limit: number, cursor?: string, serviceId?: string) =>
      bench.read.listings.listReviews({ profileId: profile.id, serviceId }, { limit, cursor })
    const ids = (page: { items: readonly { id: string }[] }) => page.items.map(({ id }) => id)
    const all = await list(9)
    assert.deepEqual([all.total, ids(all).toSorted()], [3, made.toSorted()])
    assert.equal(ids(all)[0], made[2])
    const start = await list(2)
    assert.deepEqual([...ids(start), ...ids(await list(2, start.nextCursor))], ids(all))
    assert.deepEqual(ids(await list(9, undefined, one.id)), [made[2], made[0]])
    assert.equal((await list(9, undefined, `svc_${randomUUID()}`)).total, 0)
    await assert.rejects(list(9, 'nonsense'), { code: invalidCursor.code })
  })

  it('names the reviewing profiles that lists show, and keeps no text of those that have left', async () => {
    const profile = await bench.profile()
    const listing = await listed(bench, profile)
    const by = async (reviewerProfileId: number | null, score: number) => {
      const changes = { reviewerProfileId, score, comment: ODD_TEXT }
      const review = newReview(listing, await dealt(bench, profile), changes)
      return present(await bench.write((tx) => tx.listings.insertReview(review)))
    }
    const states = {
      public: await bench.profile(),
      unlisted: await bench.profile({ visibility: 'unlisted' }),
      private: await bench.profile({ visibility: 'private' }),
      leaving: await bench.profile(),
      banned: await bench.profile(),
      deleted: await bench.profile(),
    }
    const made = new Map<string, Review>()
    for (const [state, { id }] of Object.entries(states)) made.set(state, await by(id, 3))
    const agent = await by(null, 5)
    await bench.write((tx) => tx.profiles.withdrawOfAccount(states.leaving.ownerAccountId, at(9)))
    await bench.write((tx) => tx.accounts.save(states.banned.ownerAccountId, { bannedAt: at(9) }))
    await bench.write((tx) => tx.profiles.delete(states.deleted.id))

    const { items } = await bench.read.listings.listReviews({ profileId: profile.id }, { limit: 9 })
    const seen = new Map(items.map((review) => [review.id, review]))
    const { type, username } = states.public
    for (const [state, review] of made) {
      const hasLeft = state === 'leaving' || state === 'banned' || state === 'deleted'
      const reviewer = state === 'public' ? { type, username } : null
      assert.deepEqual(seen.get(review.id), { ...review, reviewer, comment: hasLeft ? null : ODD_TEXT }, state)
    }
    assert.deepEqual(seen.get(agent.id), { ...agent, reviewer: null })
  })
})
