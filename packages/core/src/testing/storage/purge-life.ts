import { randomUUID } from 'node:crypto'
import { FIRST_AUDIT_HASH } from '../../ports/storage/audit-log.ts'
import type { OptionalGroup, Storage } from '../../ports/storage/storage.ts'
import {
  freshName,
  keeping,
  newApiKey,
  newAttempt,
  newEvent,
  newGrant,
  newIdentity,
  newInvitation,
  newJob,
  newListing,
  newMember,
  newMessage,
  newMove,
  newNegotiation,
  newPasskey,
  newPayout,
  newPurchase,
  newReceipt,
  newReview,
  newSession,
  newSettlement,
  newToken,
  newTransfer,
  newUpload,
  newWallet,
  newWebhook,
  uploaded,
} from '../records.ts'
import { newCheckout, newSubscription } from '../subscription-records.ts'
import { newAuditLogEntries } from './audit-log.ts'
import { type Bench, createBench, present } from './bench.ts'
import { fillApps } from './connected-app-life.ts'
import { gateConfig } from './gate-config.ts'
import { newTranscript } from './media.ts'
import { fillPaidRequests } from './paid-request-life.ts'
import { newPricedOffer } from './priced-catalogue.ts'
import { fillPrivateContent } from './private-content.ts'

const AT = new Date('2026-05-06T07:08:09.010Z')
const LATER = new Date('2026-05-08T00:00:00Z')
/** The month in which the account has minutes. */
export const MINUTES_OF = '2026-05'
const didOf = (username: string) => `did:web:profiles.example:u:${username}`

/**
 * Creates an account with its names in every store of a storage: as owner, seller, payer, guest and subject. The cases of
 * the storage contract purge it; after a purge, look for `names` in your own tables.
 */
export const accountEverywhere = (storage: Storage<OptionalGroup>) => fillAccount(createBench(() => storage))

export async function fillAccount(bench: Bench<OptionalGroup>) {
  const after = await bench.endOfLog()
  const [account, other] = [await bench.account(), await bench.account()]
  await bench.write((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))
  const { username, id, email } = account
  const profile = await bench.profile({ ownerAccountId: id, username, email, bio: email })
  const gone = await bench.profile({ ownerAccountId: id, username: `${username}-old` })
  const hidden = await bench.profile({ ownerAccountId: id, username: `${username}-import` })
  const renamed = await bench.profile({ ownerAccountId: id, username: `${username}-was` })
  const otherProfile = await bench.profile({ ownerAccountId: other.id })
  const category = await bench.category(profile, { name: `Of ${username}` })
  const page = await bench.page(profile, { body: `By ${username}`, categoryId: category.id })
  const foreignPage = await bench.page(otherProfile)

  const sellerOf = (seller: typeof profile) => ({
    profileId: seller.id,
    sellerDid: didOf(seller.username),
    shown: {
      url: `https://profiles.example/u/${seller.username}`,
      description: seller.username,
      mimeType: 'text/plain',
    },
    payTo: { 'cash:test': 'wallet:of-the-seller' },
  })
  const proof = (seller: typeof profile) => ({ payTo: didOf(seller.username), signature: 'signed' })
  const sell = (seller: typeof profile, payerAccountId: string) =>
    bench.claim({ purchase: newPurchase(sellerOf(seller)), proof: proof(seller), payerAccountId, payerDid: null })

  const sale = await sell(profile, other.id)
  const open = await sell(profile, other.id)
  const old = await sell(gone, other.id)
  const purchase = await bench.claim({
    purchase: newPurchase(sellerOf(otherProfile)),
    payer: { wallet: 'wallet:ada', network: 'cash:test', did: didOf(username) },
    payerAccountId: id,
    payerDid: didOf(username),
  })
  const settlement = newSettlement({ payer: { wallet: 'wallet:ada', network: 'cash:test', did: didOf(username) } })
  const receiptOf = (seller: typeof profile, payerAccountId: string, payerDid: string | null) =>
    newReceipt({
      seller: { profileId: seller.id, did: didOf(seller.username), accountId: seller.ownerAccountId },
      payerAccountId,
      payerDid,
    })
  const receipts = [
    receiptOf(profile, other.id, null),
    receiptOf(otherProfile, id, didOf(username)),
    receiptOf(gone, other.id, null),
  ] as const

  const deal = (seller: typeof profile, buyer: typeof profile) => {
    const word = `With ${username}`
    const plain = newListing(seller.id)
    // The listings of other accounts are not erased, whatever they say.
    const service = seller === profile ? { ...plain, details: { ...plain.details, name: word } } : plain
    const negotiation = newNegotiation(seller.id, buyer.id, {
      sellerDid: didOf(seller.username),
      buyerDid: didOf(buyer.username),
      service: word,
      metadata: { of: username },
      state: 'disputed',
      terms: { conditions: [word], expires_in: 60 },
      invoice: { invoice_id: username, amount: 90, currency: 'usd', line_items: [{ description: word }] },
      receipt: { receipt_id: username, payment_proof: { type: 'cash', token: username }, verified: false },
      dispute: { reason_code: 'late', evidence: [word], opened_by: 'buyer', opened_at: AT.toISOString() },
    })
    return { negotiation, service, move: newMove({ accountId: id, data: { reason: word, outcome: 'refunded' } }) }
  }
  const deals = [deal(profile, otherProfile), deal(otherProfile, profile)] as const

  const webhooks = [
    newWebhook(id, { sourceProfileId: otherProfile.id, deliveryUrl: `https://${username}.example/` }),
    newWebhook(other.id, { sourceProfileId: profile.id, sourceDid: didOf(username) }),
    newWebhook(other.id, { sourceProfileId: gone.id, sourceDid: didOf(gone.username) }),
  ] as const
  const entitlement = newGrant(profile.id)
  const session = newSession(id)
  const [token, identity, wallet] = [newToken(id, { data: { email } }), newIdentity(id, { email }), newWallet(id)]
  const jobs = [
    newJob(id, { input: { username } }),
    newJob(other.id, { profileId: profile.id, input: { username } }),
  ] as const
  const kept = await bench.write(async (tx) => {
    await tx.tokens.put(token)
    await tx.sessions.insert(session)
    await tx.identities.insert(identity)
    await tx.passkeys.insert(newPasskey(id, { name: username }), 20)
    await tx.secondFactors.begin(id, 'sealed', AT)
    await fillApps(tx, { accountId: id, profileId: profile.id, name: username })
    const asked = newPurchase({ ...sellerOf(otherProfile), per: 'request' })
    await fillPaidRequests(tx, { accountId: id, purchase: asked, name: username })
    await tx.idempotency.begin(newAttempt(id, { key: username }), { leaseMs: 60_000, maxKeys: 1_000 })
    await tx.wallets.put(wallet)
    const uploads = [newUpload(id), newUpload(id), newUpload(id), newUpload(id)] as const
    for (const upload of uploads) await tx.files.createUpload(upload)
    await tx.files.discardUploads([uploads[2].key])
    const named = uploaded(uploads[0], { filename: `${username}.txt` })
    const own = await tx.files.commitUploads(keeping(profile, [named]))
    await tx.files.commitUploads(keeping(otherProfile, [uploaded(uploads[1])]))
    await tx.jobs.add(jobs[0])
    await tx.jobs.add(jobs[1])
    const fileId = own.outcome === 'kept' ? present(own.files[0]).id : 0
    await tx.fileTexts.keep({
      sha256: named.sha256,
      converter: 'reader/1',
      outcome: { markdown: `Written by ${username}`, warnings: [] },
      createdAt: AT,
    })
    await tx.media.saveTranscript(newTranscript({ id: fileId, sha256: named.sha256 }, { text: `Said by ${username}` }))
    const minutes = { fileId, accountId: id, month: MINUTES_OF, minutes: 2 }
    await tx.media.reserve({ ...minutes, jobId: jobs[1].id }, 30)
    await tx.media.settle(jobs[1].id, 2, 30)
    await tx.media.reserve({ ...minutes, jobId: jobs[0].id }, 30)
    const subscription = newSubscription(id, { processorCustomerId: username, currentPeriodEnd: AT })
    await tx.subscriptions.put(subscription)
    await tx.prepaidPlans.claimReminder({ subscriptionId: subscription.id, endsAt: AT }, 7)
    const year = { tier: 'pro', priceCents: 12_000, paidAt: AT, term: null } as const
    await tx.prepaidPlans.add({ ...year, challengeId: username, receiptId: freshName(), accountId: id })
    await tx.subscriptions.putCheckout(newCheckout(id, { url: `https://pay.example/${username}` }))
    await tx.subscriptions.takeLease(id, randomUUID(), 60_000)
    const banned = { action: 'account.changed', before: { email }, after: { username }, at: AT }
    await tx.audit.append({ ...banned, actorAccountId: other.id, target: `accounts/${id}` })
    await tx.audit.append({ ...banned, actorAccountId: id, target: 'pricing/pro', before: {}, after: {} })
    const start = { position: 0, hash: FIRST_AUDIT_HASH }
    const acted = { actorDid: didOf(username), actorAccountId: id, actorProfileId: profile.id }
    const through = { name: username, host: null }
    const byApp = { through, throughSalt: 'salt', throughDigest: 'digest', throughAccountId: id }
    await tx.auditLog.append(otherProfile.id, start, newAuditLogEntries([acted, byApp]))
    await tx.auditLog.append(profile.id, start, newAuditLogEntries([{ publisherDid: didOf(username) }]))
    await tx.gates.put({
      profileId: profile.id,
      config: gateConfig(),
      changedBy: profile.ownerAccountId,
      updatedAt: AT,
    })
    await tx.entitlements.grant(entitlement)
    for (const [payment, receipt] of [
      [sale, receipts[0]],
      [purchase, receipts[1]],
      [old, receipts[2]],
    ] as const) {
      const money = payment === purchase ? settlement : newSettlement()
      await tx.payments.settle(payment.id, {
        receiptId: receipt.receiptId,
        settlement: money,
        toldEmail: email,
      })
      await tx.receipts.insert(receipt)
    }
    await tx.refunds.record({
      receiptId: receipts[0].receiptId,
      reference: 'handed back',
      reason: `asked for by ${username}`,
      refundedAt: AT,
      refundedBy: id,
    })
    await tx.refunds.claim({
      receiptId: receipts[1].receiptId,
      reference: 'said to be handed back',
      reason: `claimed by ${username}`,
      claimedAt: AT,
      claimedBy: id,
    })
    await tx.profiles.reserveNames([
      { type: 'person', nameHash: randomUUID(), ownerAccountId: id, wasReadable: true, at: AT },
    ])
    await tx.gates.put({ profileId: otherProfile.id, config: gateConfig(), changedBy: id, updatedAt: AT })
    await tx.pages.save(foreignPage.id, {
      body: 'written by a guest',
      updatedAt: AT,
      savedBy: id,
      through: { name: username, host: null },
    })
    const draft = { title: username, body: username, excerpt: null, coverFileId: null, baseVersion: 1, updatedAt: AT }
    for (const pageId of [page.id, foreignPage.id]) {
      const words = pageId === page.id ? {} : { title: 'A draft', body: 'by a guest' }
      await tx.pageDrafts.put({ ...draft, ...words, pageId, revision: randomUUID(), updatedBy: id }, null)
    }
    await tx.scheduledPublications.put({ pageId: foreignPage.id, publishAt: LATER, scheduledBy: id })
    for (const [pageId, ownerAccountId] of [
      [page.id, id],
      [foreignPage.id, otherProfile.ownerAccountId],
    ] as const) {
      const link = { pageId, hash: randomUUID(), createdBy: id, ownerAccountId, createdAt: AT, expiresAt: LATER }
      await tx.pagePreviewLinks.insert(link, 10)
    }
    await tx.reactions.toggle({ pageId: foreignPage.id, accountId: id, kind: 'like', at: AT })
    const path = `of-${username}`
    await tx.oldPaths.put({ profileId: profile.id, path, slug: path, placeId: null, target: { pageId: page.id } }, AT)
    const key = present(await tx.apiKeys.insert(newApiKey(id, { name: username })))
    await tx.apiKeys.insert(newApiKey(id, { name: username, parentId: key.id }))
    await tx.apiKeys.addUses([{ keyId: key.id, count: 1, lastUsedAt: AT }])
    await tx.connections.follow({ followerProfileId: profile.id, followeeProfileId: otherProfile.id, createdAt: AT })
    await tx.connections.follow({ followerProfileId: otherProfile.id, followeeProfileId: profile.id, createdAt: AT })
    await tx.members.put(newMember(otherProfile.id, id))
    await tx.invitations.put(newInvitation(profile.id, id, { accountId: other.id, email: null }))
    await tx.invitations.put(newInvitation(otherProfile.id, other.id, { accountId: id, email: null }))
    await tx.invitations.put(newInvitation(otherProfile.id, other.id, { accountId: null, email: email.toUpperCase() }))
    await tx.transfers.insert(newTransfer(otherProfile, id))
    await tx.transfers.insert(newTransfer(profile, other.id))
    await tx.profileNames.rename(renamed.id, { username: `${username}-is`, at: AT, keptUntil: AT })
    for (const { negotiation, move, service } of deals) {
      await tx.negotiations.insert({ ...negotiation, version: 1 }, { ...move, version: 1 })
      await tx.negotiations.claimPayments([`sha256:${negotiation.id}`], negotiation.id)
      await tx.listings.insert(service)
      await tx.listings.insertReview(
        newReview(service, negotiation.id, {
          reviewerProfileId: negotiation.buyerProfileId,
          reviewerDid: negotiation.buyerDid,
          comment: `So says ${username}`,
        }),
      )
    }
    const talk = { id: randomUUID(), profileId: profile.id, otherProfileId: otherProfile.id, createdAt: AT }
    await tx.messages.open(talk)
    await tx.messages.append(newMessage(talk.id, profile.id, { body: `Yours, ${username}` }))
    const report = (reporter: typeof profile, reported: typeof profile) => ({
      id: randomUUID(),
      subject: { type: 'conversation' as const, id: talk.id },
      reason: `About ${username}`,
      evidence: `By ${reported.username}`,
      reporterAccountId: reporter.ownerAccountId,
      reporterProfileId: reporter.id,
      reportedProfileId: reported.id,
      createdAt: AT,
    })
    await tx.reports.open(report(profile, otherProfile))
    await tx.reports.open(report(otherProfile, profile))
    const update = { accountId: id, attachments: [], createdAt: AT, hashtags: [username.toLowerCase()] }
    const post = { ...update, profileId: profile.id, body: `By @u/${username} #${username}`, replyTo: null }
    const posted = await tx.feed.insert({ ...post, mentions: [{ start: 3, profileId: otherProfile.id }] })
    const postId = posted.outcome === 'inserted' ? posted.id : 0
    const reply = await tx.feed.insert({
      ...post,
      profileId: otherProfile.id,
      accountId: other.id,
      hashtags: [],
      body: 'Hello',
      replyTo: postId,
      mentions: [{ start: 0, profileId: profile.id }],
    })
    const replyId = reply.outcome === 'inserted' ? reply.id : 0
    await tx.feed.like({ postId, accountId: other.id, at: AT })
    await tx.feed.like({ postId: replyId, accountId: id, at: AT })
    await tx.feed.setPostingClosed(id, AT)
    const sequence = await tx.pricedResources.nextSequence()
    const offer = newPricedOffer({ path: `/u/${username}/content/notes`, payTo: [username] })
    await tx.pricedResources.put([{ profileId: profile.id, key: `page_${page.id}`, offer }], sequence)
    await tx.pricedResources.saveDigest('of the rails')
    await tx.trustLevels.put({ profileId: profile.id, level: 'low', recheckAt: AT })
    await tx.analytics.addBatch({
      id: randomUUID(),
      at: AT,
      counts: [{ profileId: profile.id, minute: AT, metric: 'search_terms', key: username, count: 1 }],
      visitors: [{ profileId: profile.id, minute: AT, visitor: 'visitor' }],
    })
    await tx.analytics.keepSalt('2026-01-01', 'salt')
    await tx.analytics.rollUpMinutes(LATER, 10)
    await tx.analytics.rollUpVisitors(LATER, 10)
    await tx.analytics.addBatch({
      id: randomUUID(),
      at: AT,
      counts: [],
      visitors: [{ profileId: profile.id, minute: AT, visitor: 'visitor' }],
    })
    const section = { key: 'jobs', title: username, body: username, position: 0, visibility: 'public' } as const
    const sections = [{ ...section, agentTypes: ['recruiter'] as const }]
    await tx.smartSections.put({ profileId: profile.id, sections, updatedAt: AT })
    await tx.siteScans.accept(
      { id: randomUUID(), accountId: id, host: `${username}.example`, requestedAt: AT },
      { since: AT, limit: 1, heldUntil: LATER },
    )
    const agreement = {
      documentHash: `sha256:${'a'.repeat(64)}`,
      documentUrl: `https://${username}.example`,
      acceptedAt: AT,
    }
    await tx.agreements.accept({ accountId: id, profileId: otherProfile.id, ...agreement })
    await tx.agreements.accept({ accountId: other.id, profileId: profile.id, ...agreement })
    await tx.sandboxPlans.insert({
      id: username,
      accountId: id,
      attempt: username,
      details: { email: account.email },
      createdAt: AT,
    })
    const payment = { id: randomUUID(), kind: 'checkout', currency: 'usd', amount: 500n, details: {} } as const
    await tx.sandboxPayments.insert({ ...payment, createdAt: AT, expiresAt: LATER }, 1_000)
    await tx.sandboxPayments.decide({ id: payment.id, from: ['open'], to: 'paid', at: AT, email: account.email })
    const mail = { to: account.email, subject: `Hello ${username}`, html: username, text: username, sentAt: AT }
    await tx.sandboxMail.insert({ id: randomUUID(), ...mail }, 1_000)
    await fillPrivateContent(tx, { account, profile, other, otherProfile, at: AT })
    await tx.hiddenProfiles.hide(hidden.id, { importId: randomUUID(), at: AT })
    await tx.profiles.delete(gone.id)
    const events = await tx.events.append([
      newEvent({ type: 'accounts.account_registered', accountId: id, data: { accountId: id, username } }),
      newEvent({ type: 'profiles.profile_created', profileId: profile.id, accountId: id, data: { username } }),
      newEvent({ type: 'payments.payment_settled', profileId: profile.id, accountId: null, data: { username } }),
      newEvent({ type: 'profiles.profile_deleted', profileId: gone.id, accountId: id, data: { username } }),
      newEvent({ type: 'profiles.profile_updated', profileId: gone.id, accountId: null, data: { username } }),
      newEvent({ profileId: otherProfile.id, accountId: id, data: { pageId: foreignPage.id } }),
      newEvent({ profileId: otherProfile.id, accountId: other.id, data: { accountId: id, username } }),
      newEvent({ profileId: otherProfile.id, accountId: other.id, data: { pageId: foreignPage.id } }),
      newEvent({ accountId: other.id, data: { accountId: id, email } }),
    ])
    const { cursor } = present(events[0])
    for (const webhook of webhooks) {
      await tx.webhooks.insert(webhook, { max: 9, maxCreated: 9, createdSince: AT })
      await tx.webhooks.update(webhook.id, ['pending_verification'], { status: 'active', expiresAt: AT })
      await tx.webhooks.enqueue([{ webhookId: webhook.id, cursor }], { now: AT, maxPending: 9 })
      const lease = { webhookId: webhook.id, holder: randomUUID() }
      await tx.webhooks.hold(lease, 60_000)
      const attempt = { cursor, attempt: 1, at: AT, statusCode: null, responseTimeMs: 1, retryAfter: null }
      const attempts = [{ ...attempt, outcome: 'failed', error: `at ${username}` }] as const
      await tx.webhooks.report(lease, { attempts, settled: [], dropped: [], failures: 'raise' }, 60_000)
      await tx.webhooks.release(lease)
    }
    const notice = (accountId: string, actor: typeof profile, about: typeof profile) => ({
      id: randomUUID(),
      accountId,
      profileId: null,
      permission: null,
      kind: 'follow',
      groupKey: null,
      actorProfileId: actor.id,
      aboutProfileId: about.id,
      data: { profileId: profile.id },
      inApp: true,
      emailAt: null,
      digestAt: AT,
      createdAt: AT,
    })
    await tx.notifications.add([
      notice(id, otherProfile, profile),
      notice(other.id, profile, otherProfile),
      notice(other.id, otherProfile, profile),
      { ...notice(other.id, otherProfile, otherProfile), through: { ...through, accountId: id } },
    ])
    await tx.notifications.putPreferences(id, [{ kind: 'follow', inApp: false, email: null }])
    return { key, fileId, conversationId: talk.id, payout: await tx.payouts.insert(newPayout(wallet)) }
  })

  return {
    ...kept,
    after,
    account,
    other,
    profile,
    otherProfile,
    page,
    foreignPage,
    settlement,
    deals,
    jobs,
    sale,
    open,
    old,
    purchase,
    receipts,
    entitlement,
    token,
    session,
    identity,
    wallet,
    payments: [sale, open, old, purchase],
    names: [id, email, username],
  }
}
