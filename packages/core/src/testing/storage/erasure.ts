import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ERASED_DID } from '../../kernel/erased-ids.ts'
import type { ErasedAccount } from '../../ports/storage/erasure.ts'
import type { OptionalGroup, Stores } from '../../ports/storage/storage.ts'
import { lockForErasure } from '../erase-account.ts'
import {
  freshName,
  keeping,
  newApiKey,
  newEvent,
  newIdentity,
  newInvitation,
  newJob,
  newListing,
  newMember,
  newMove,
  newNegotiation,
  newPayout,
  newReceipt,
  newReview,
  newTransfer,
  newUpload,
  newWallet,
  uploaded,
} from '../records.ts'
import { newCheckout, newSubscription } from '../subscription-records.ts'
import { type Bench, casesFor, MINUTE, present } from './bench.ts'

const AT = new Date('2026-05-06T07:08:09.010Z')
const MONTH = '2026-05'

/** Erases an account from one group. The account itself remains, so nothing is deleted by cascade. */
async function eraseFrom<With extends OptionalGroup>(
  bench: Bench<With>,
  id: string,
  erase: (tx: Stores<With>, account: ErasedAccount) => Promise<void>,
): Promise<void> {
  await bench.write(async (tx) => erase(tx, present(await lockForErasure(tx, id))))
  assert.notEqual(await bench.read.accounts.get(id), undefined)
}

export const erasedProfilesCases = casesFor([], (it, bench) => {
  const erasedProfiles = (id: string) =>
    bench.write(async (tx) => present(await lockForErasure(tx, id)).profileIds.toSorted((left, right) => left - right))

  it('names the profiles of an account to erase, including deleted ones', async () => {
    const { id } = await bench.account()
    const [kept, deleted] = [await bench.profile({ ownerAccountId: id }), await bench.profile({ ownerAccountId: id })]
    await bench.profile()
    await bench.write(async (tx) => {
      await tx.profiles.delete(deleted.id)
      await tx.events.append([newEvent({ type: 'profiles.profile_deleted', profileId: deleted.id, accountId: id })])
    })
    assert.deepEqual(await erasedProfiles(id), [kept.id, deleted.id])
  })

  it('names a transferred and deleted profile for its last owner only', async () => {
    const [before, after] = [await bench.account(), await bench.account()]
    const profile = await bench.profile({ ownerAccountId: before.id })
    const ofProfile = (type: string, accountId: string) => newEvent({ type, profileId: profile.id, accountId })
    await bench.write(async (tx) => {
      await tx.events.append([
        ofProfile('profiles.profile_created', before.id),
        ofProfile('teams.profile_transferred', after.id),
        ofProfile('profiles.profile_deleted', after.id),
      ])
      await tx.profiles.delete(profile.id)
    })
    assert.deepEqual(await erasedProfiles(before.id), [])
    assert.deepEqual(await erasedProfiles(after.id), [profile.id])
  })

  it('locks nothing for an account that does not exist', async () => {
    for (const unknown of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.write((tx) => lockForErasure(tx, unknown)), undefined)
    }
  })
})

export const teamErasureCases = casesFor(['teams'], (it, bench) => {
  it('erases only the given account from teams, invitations and transfers', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    await bench.write((tx) => tx.accounts.save(leaving.id, { emailVerified: true, emailOwned: true }))
    const profile = await bench.profile({ ownerAccountId: staying.id })
    const invited = await bench.account()
    await bench.write(async (tx) => {
      for (const { id } of [leaving, invited]) await tx.members.put(newMember(profile.id, id))
      const by = (changes: { accountId: string | null; email: string | null }, inviter = staying.id) =>
        tx.invitations.put(newInvitation(profile.id, inviter, changes))
      await by({ accountId: leaving.id, email: null })
      await by({ accountId: null, email: leaving.email.toUpperCase() })
      await by({ accountId: null, email: `${freshName()}@example.com` }, leaving.id)
      await by({ accountId: staying.id, email: null }, invited.id)
      await tx.transfers.insert(newTransfer(profile, leaving.id))
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.members.eraseAccount(account))
    const { members, invitations, transfers } = bench.read
    assert.equal(await members.getRole(profile.id, leaving.id), undefined)
    assert.notEqual(await members.getRole(profile.id, invited.id), undefined)
    const left = await invitations.list(profile.id, { limit: 9 })
    assert.deepEqual(
      left.items.map(({ accountId }) => accountId),
      [staying.id],
    )
    assert.equal((await transfers.listOfAccount(staying.id, { limit: 9 })).total, 0)
  })
})

export const apiKeyErasureCases = casesFor(['apiKeys'], (it, bench) => {
  it('erases only the keys of the given account', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const [own, other] = [newApiKey(leaving.id), newApiKey(staying.id)]
    await bench.write(async (tx) => {
      const key = present(await tx.apiKeys.insert(own))
      await tx.apiKeys.insert(newApiKey(leaving.id, { parentId: key.id }))
      await tx.apiKeys.insert(other)
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.apiKeys.eraseAccount(account))
    assert.deepEqual(await bench.read.apiKeys.listOfAccount(leaving.id), [])
    assert.notEqual(await bench.read.apiKeys.getByHash(other.hash), undefined)
  })
})

export const identityErasureCases = casesFor(['identities'], (it, bench) => {
  it('erases only the identities of the given account', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    await bench.write(async (tx) => {
      await tx.identities.insert(newIdentity(leaving.id))
      await tx.identities.insert(newIdentity(staying.id))
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.identities.eraseAccount(account))
    assert.deepEqual(await bench.read.identities.listOfAccount(leaving.id), [])
    assert.equal((await bench.read.identities.listOfAccount(staying.id)).length, 1)
  })
})

export const walletErasureCases = casesFor(['wallets'], (it, bench) => {
  it('erases only the wallets and payouts of the given account', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    await bench.write(async (tx) => {
      for (const { id } of [leaving, staying]) {
        const wallet = newWallet(id)
        await tx.wallets.put(wallet)
        await tx.payouts.insert(newPayout(wallet))
      }
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.wallets.eraseAccount(account))
    const { wallets, payouts } = bench.read
    assert.deepEqual([await wallets.listOfAccount(leaving.id), await payouts.listOfAccount(leaving.id)], [[], []])
    assert.equal((await wallets.listOfAccount(staying.id)).length, 1)
    assert.equal((await payouts.listOfAccount(staying.id)).length, 1)
  })
})

export const refundErasureCases = casesFor(['sales'], (it, bench) => {
  it('erases an account and its reasons from refunds and claims, and keeps the records', async () => {
    const { id } = await bench.account()
    const [refunded, claimed] = [newReceipt(), newReceipt()]
    await bench.write(async (tx) => {
      for (const receipt of [refunded, claimed]) await tx.receipts.insert(receipt)
      const said = { reference: 'sent back', reason: 'asked for it' }
      await tx.refunds.record({ receiptId: refunded.receiptId, ...said, refundedAt: AT, refundedBy: id })
      await tx.refunds.claim({ receiptId: claimed.receiptId, ...said, claimedAt: AT, claimedBy: id })
    })
    await eraseFrom(bench, id, (tx, account) => tx.refunds.eraseAccount(account))
    const refund = present(await bench.read.refunds.get(refunded.receiptId))
    assert.deepEqual([refund.refundedBy, refund.reason, refund.reference], [null, null, 'sent back'])
    const claim = present(await bench.read.refunds.getClaim(claimed.receiptId))
    assert.deepEqual([claim.claimedBy, claim.reason, claim.reference], [null, null, 'sent back'])
  })
})

export const jobErasureCases = casesFor(['jobs'], (it, bench) => {
  it('erases only the jobs of the given account', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const [own, other] = [newJob(leaving.id), newJob(staying.id)]
    await bench.write(async (tx) => {
      await tx.jobs.add(own)
      await tx.jobs.add(other)
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.jobs.eraseAccount(account))
    assert.equal(await bench.read.jobs.get(own.id), undefined)
    assert.notEqual(await bench.read.jobs.get(other.id), undefined)
  })
})

export const siteScanErasureCases = casesFor(['siteScans'], (it, bench) => {
  it('erases the scans of the given account, and frees their hosts', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const [own, other] = [freshName(), freshName()]
    const accept = (accountId: string, host: string) =>
      bench.write((tx) =>
        tx.siteScans.accept(
          { id: randomUUID(), accountId, host, requestedAt: AT },
          { since: AT, limit: 1, heldUntil: new Date(AT.getTime() + MINUTE) },
        ),
      )
    await accept(leaving.id, own)
    await accept(staying.id, other)
    await eraseFrom(bench, leaving.id, (tx, account) => tx.siteScans.eraseAccount(account))
    assert.equal((await accept(leaving.id, own))?.outcome, 'accepted')
    assert.equal((await accept(staying.id, freshName()))?.outcome, 'limit_reached')
  })
})

export const fileErasureCases = casesFor(['files'], (it, bench) => {
  it('erases the uploader of files in profiles of others, and keeps the files', async () => {
    const [leaving, profile] = [await bench.account(), await bench.profile()]
    const uploads = [newUpload(leaving.id), newUpload(profile.ownerAccountId)] as const
    await bench.write(async (tx) => {
      for (const upload of uploads) await tx.files.createUpload(upload)
      await tx.files.commitUploads(
        keeping(
          profile,
          uploads.map((upload) => uploaded(upload)),
        ),
      )
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.files.eraseAccount(account))
    const { items } = await bench.read.files.listOfProfile(profile.id, { limit: 9 })
    const senderOf = (key: string) => present(items.find((file) => file.key === key)).accountId
    assert.deepEqual(
      uploads.map(({ key }) => senderOf(key)),
      [null, profile.ownerAccountId],
    )
  })
})

export const mediaErasureCases = casesFor(['media', 'jobs', 'files'], (it, bench) => {
  it('erases only the used and reserved minutes of the given account', async () => {
    const [leaving, staying] = [await bench.profile(), await bench.profile()]
    for (const profile of [leaving, staying]) {
      const accountId = profile.ownerAccountId
      const uploads = [newUpload(accountId), newUpload(accountId)] as const
      await bench.write(async (tx) => {
        for (const upload of uploads) await tx.files.createUpload(upload)
        const kept = await tx.files.commitUploads(
          keeping(
            profile,
            uploads.map((upload) => uploaded(upload)),
          ),
        )
        assert.equal(kept.outcome, 'kept')
        const files = kept.outcome === 'kept' ? kept.files : []
        for (const [index, { id: fileId }] of files.entries()) {
          const job = newJob(accountId)
          await tx.jobs.add(job)
          await tx.media.reserve({ fileId, accountId, month: MONTH, minutes: 2, jobId: job.id }, 30)
          if (index === 0) await tx.media.settle(job.id, 2, 30)
        }
      })
    }
    await eraseFrom(bench, leaving.ownerAccountId, (tx, account) => tx.media.eraseAccount(account))
    assert.deepEqual(await bench.read.media.minutesOf(leaving.ownerAccountId, MONTH), { used: 0, reserved: 0 })
    assert.deepEqual(await bench.read.media.minutesOf(staying.ownerAccountId, MONTH), { used: 2, reserved: 2 })
  })
})

export const reactionErasureCases = casesFor(['reactions'], (it, bench) => {
  it('erases the reactions of an account, and corrects the counts', async () => {
    const page = await bench.page(await bench.profile())
    const [leaving, staying] = [await bench.account(), await bench.account()]
    await bench.write(async (tx) => {
      const toggle = (accountId: string, kind: 'like' | 'bookmark') =>
        tx.reactions.toggle({ pageId: page.id, accountId, kind, at: AT })
      await toggle(leaving.id, 'like')
      await toggle(leaving.id, 'bookmark')
      await toggle(staying.id, 'like')
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.reactions.eraseAccount(account))
    assert.deepEqual(await bench.read.reactions.getState(page.id, leaving.id), {
      counts: { like: 1, bookmark: 0 },
      mine: { like: false, bookmark: false },
    })
  })
})

export const negotiationErasureCases = casesFor(['negotiations', 'listings'], (it, bench) => {
  /** A negotiation between the profiles of two accounts, and a review by the one that is erased. */
  const dealt = async () => {
    const [leaving, staying] = [await bench.profile(), await bench.profile()]
    const negotiation = newNegotiation(staying.id, leaving.id, {
      sellerDid: 'did:web:seller.example',
      buyerDid: 'did:web:buyer.example',
      terms: { conditions: ['said in words'], expires_in: 60 },
    })
    const service = newListing(staying.id)
    const review = { reviewerProfileId: leaving.id, reviewerDid: negotiation.buyerDid, comment: 'said in words' }
    await bench.write(async (tx) => {
      await tx.negotiations.insert(negotiation, newMove({ accountId: leaving.ownerAccountId }))
      await tx.listings.insert(service)
      await tx.listings.insertReview(newReview(service, negotiation.id, review))
    })
    const reviewOf = async () =>
      present((await bench.read.listings.listReviews({ profileId: staying.id }, { limit: 1 })).items[0])
    return { leaving, staying, negotiation, reviewOf }
  }

  it('erases one party of a negotiation and all texts, and keeps amounts and the other party', async () => {
    const { leaving, negotiation, reviewOf } = await dealt()
    const before = await reviewOf()
    await eraseFrom(bench, leaving.ownerAccountId, (tx, account) => tx.negotiations.eraseAccount(account))
    const kept = present(await bench.read.negotiations.get(negotiation.id))
    assert.deepEqual([kept.sellerDid, kept.buyerDid], [negotiation.sellerDid, ERASED_DID])
    assert.equal(kept.terms.expires_in, 60)
    assert.equal(JSON.stringify(kept).includes('said in words'), false)
    const moves = await bench.read.negotiations.listMoves(negotiation.id)
    assert.deepEqual(
      moves.map(({ accountId }) => accountId),
      [null],
    )
    assert.deepEqual(await reviewOf(), before, 'reviews belong to another group')
  })

  it('erases the reviewer and the comment of a review, and keeps its score', async () => {
    const { leaving, staying, negotiation, reviewOf } = await dealt()
    const before = await reviewOf()
    await eraseFrom(bench, staying.ownerAccountId, (tx, account) => tx.listings.eraseAccount(account))
    assert.deepEqual(await reviewOf(), before, 'the seller did not write it')
    await eraseFrom(bench, leaving.ownerAccountId, (tx, account) => tx.listings.eraseAccount(account))
    const erased = { reviewerProfileId: null, reviewerDid: ERASED_DID, reviewer: null, comment: null }
    assert.deepEqual(await reviewOf(), { ...before, ...erased })
    assert.equal((await bench.read.negotiations.get(negotiation.id))?.buyerDid, negotiation.buyerDid)
  })
})

export const subscriptionErasureCases = casesFor(['subscriptions'], (it, bench) => {
  it('erases only the subscription, checkout, lease and prepaid plans of the given account', async () => {
    const [leaving, staying] = [await bench.account(), await bench.account()]
    const plans = [leaving, staying].map(({ id: accountId }) => ({ accountId, challengeId: freshName() }))
    await bench.write(async (tx) => {
      for (const { accountId, challengeId } of plans) {
        await tx.subscriptions.put(newSubscription(accountId))
        await tx.subscriptions.putCheckout(newCheckout(accountId))
        await tx.subscriptions.takeLease(accountId, randomUUID(), MINUTE)
        const plan = { tier: 'pro', priceCents: 12_000, paidAt: AT, term: null } as const
        await tx.prepaidPlans.add({ ...plan, challengeId, receiptId: freshName(), accountId })
      }
    })
    await eraseFrom(bench, leaving.id, (tx, account) => tx.subscriptions.eraseAccount(account))
    const { subscriptions, prepaidPlans } = bench.read
    const stored = await Promise.all(
      plans.map(({ accountId, challengeId }) =>
        Promise.all([
          subscriptions.getLive(accountId),
          subscriptions.getCheckout(accountId),
          prepaidPlans.get(challengeId),
        ]),
      ),
    )
    assert.deepEqual(
      stored.map((each) => each.map((record) => record !== undefined)),
      [
        [false, false, false],
        [true, true, true],
      ],
    )
    const takes = (id: string) => bench.write((tx) => tx.subscriptions.takeLease(id, randomUUID(), MINUTE))
    assert.deepEqual([await takes(leaving.id), await takes(staying.id)], [true, false])
  })
})

export const auditErasureCases = casesFor(['audit'], (it, bench) => {
  it('erases an account from audit entries as actor and subject, and keeps the entries', async () => {
    const [{ id }, other] = [await bench.account(), await bench.account()]
    const target = freshName('target')
    await bench.write(async (tx) => {
      const entry = { action: 'account.changed', before: { tier: 'pro' }, after: { tier: 'team' }, at: AT }
      await tx.audit.append({ ...entry, actorAccountId: id, target })
      await tx.audit.append({ ...entry, actorAccountId: other.id, target: `accounts/${id}` })
    })
    const [about] = (await bench.read.audit.list({ target: `accounts/${id}` }, { limit: 1 })).items
    await eraseFrom(bench, id, (tx, account) => tx.audit.eraseAccount(account))
    const [made] = (await bench.read.audit.list({ target }, { limit: 1 })).items
    assert.deepEqual([made?.actorAccountId, made?.after], [null, { tier: 'team' }])
    const erased = (await bench.read.audit.list({ target: 'accounts/erased' }, { limit: 100 })).items
    const entry = present(erased.find((each) => each.id === about?.id))
    assert.deepEqual([entry.before, entry.after], [{}, {}])
  })
})
