import { createAdminService } from '../modules/admin/index.ts'
import { createNegotiationService } from '../modules/commerce/index.ts'
import {
  createEntitlementService,
  createGateService,
  createPaywall,
  createVisitorFacts,
} from '../modules/gates/index.ts'
import { createPaymentService, createSalesService } from '../modules/payments/index.ts'
import { createCatalogueService, createReviewService } from '../modules/services/index.ts'
import {
  createPaidYears,
  createPricing,
  createSubscriptionService,
  createYearDelivery,
} from '../modules/subscriptions/index.ts'
import type { Foundation } from './foundation.ts'
import type { People } from './people.ts'
import type { Publishing } from './publishing.ts'

/** How many offers one buyer makes in an hour. */
const OFFERS_PER_HOUR = 60

/** How many reviews of one profile are written in a day. */
const REVIEWS_A_DAY = { perBuyer: 5, perProfile: 100 }

/** What it costs: gates and payments, what profiles sell, and what the service itself sells. */
export function createSelling(foundation: Foundation, people: People, { trust, connections }: Publishing) {
  const { settings, read, write, clock, cache, keyring, publicUrl, serviceDid, logger, counters } = foundation
  const { tierFacts, rails, hooks } = settings
  const { profiles, ownProfiles, payouts, signIns, dids } = people

  const yearDelivery = createYearDelivery({
    clock,
    onTrouble: (error, receiptId) => logger?.error({ err: error, receiptId }, 'a paid year needs another look'),
  })
  const payments = createPaymentService({
    read,
    write,
    clock,
    keyring,
    rails,
    hooks,
    docsUrl: foundation.docsUrl,
    signIns,
    serviceDid,
    signedOffers: settings.signedOffers,
    issuer: { name: settings.name, publicUrl },
    challengeOrder: settings.challengeOrder,
    leaseMs: settings.settlementLeaseMs,
    commissionBps: (tier) => tierFacts(tier).commissionBps,
    deliverOwn: yearDelivery.deliver,
    onTrouble: (error, { id, rail }) =>
      logger?.error({ err: error, payment: id, rail }, 'a payment needs another look'),
    onRefundTrouble: (error, receiptId) =>
      logger?.warn({ err: error, receiptId }, 'a refund claim could not be checked'),
  })
  const gates = createGateService({
    read,
    write,
    clock,
    cache,
    keyring,
    profiles,
    payments,
    payouts,
    signIns,
    payerProof: settings.payerProof,
    publicUrl,
    serviceDid,
    hooks,
    keptVersions: settings.gates.keptVersions,
    quota: people.quota,
    facts: { dids, ...createVisitorFacts({ read, trust, connections }) },
    verifiers: settings.requirementVerifiers,
  })
  const pricing = createPricing({ read, write, clock, cache })

  return {
    payments,
    gates,
    sales: createSalesService({ read, clock, profiles, refunds: payments.refunds }),
    paywall: createPaywall({ read, profiles, gates }),
    entitlements: createEntitlementService({ read, write, clock, profiles }),
    catalogue: createCatalogueService({ read, write, clock, cache, profiles }),
    reviews: createReviewService({
      read,
      write,
      clock,
      profiles,
      ownProfiles,
      limit: { store: counters, ...REVIEWS_A_DAY },
    }),
    negotiations: createNegotiationService({
      read,
      write,
      clock,
      profiles,
      ownProfiles,
      offerLimit: { store: counters, perHour: foundation.scaled(OFFERS_PER_HOUR) },
    }),
    pricing,
    subscriptions: createSubscriptionService({
      read,
      write,
      clock,
      pricing,
      tierFacts,
      logger,
      billing: settings.billing,
      cancelMode: settings.billingCancel,
      links: settings.links,
    }),
    yearDelivery,
    paidYears: createPaidYears({
      read,
      clock,
      keyring,
      payments,
      pricing,
      tierFacts,
      publicUrl,
      serviceDid,
      async ownsDid(account, did) {
        const profile = await profiles.byDid(did).catch(() => undefined)
        return profile?.ownerAccountId === account.id
      },
    }),
    admin: createAdminService({ read, write, clock, adminEmails: settings.adminEmails }),
  }
}
