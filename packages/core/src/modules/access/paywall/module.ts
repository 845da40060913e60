import { defineModule } from '../../../framework/module/define-module.ts'
import { pick } from '../../../kernel/pick.ts'
import { agents } from '../../agents/agents/token.ts'
import { wallets } from '../../people/wallets/token.ts'
import { connections } from '../../profiles/connections/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { trust } from '../../profiles/trust/token.ts'
import { gates } from '../gates/token.ts'
import { receipts } from '../receipts/token.ts'
import { createAgreements } from './access/agreements.ts'
import { createResourceTable } from './access/resource-table.ts'
import { createVisitorLookup } from './access/visitor-lookup.ts'
import type { PaywallApi } from './api.ts'
import { paywallMetrics } from './metrics.ts'
import { acceptanceNotice } from './pages/agreement-button.ts'
import { observePayments } from './pay/observe-payments.ts'
import { createReconciler } from './pay/reconciler.ts'
import { agreementRoutes } from './routes/agreement.routes.ts'
import { presetRoutes } from './routes/preset.routes.ts'
import { paywallRoutes } from './routes/routes.ts'
import { createPaywall, type PaywallDeps } from './service.ts'

const NO_ADDRESSES = Object.freeze({})
/** Payout addresses need the module `wallets`. Without it, rails that require one make no offers. */
const NO_PAYOUTS: PaywallDeps['payouts'] = { addressesOf: () => NO_ADDRESSES }
const NO_SIGN_INS: PaywallDeps['signIns'] = {
  declare: () => undefined,
  noncesFor: () => () => '',
  prove: async () => ({ is: 'refused', reason: 'siwx_not_supported' }),
}

/** The paywall: decides about access at gates, offers and takes payments. */
export const paywall = defineModule({
  name: 'paywall',
  metrics: paywallMetrics,
  optionalStores: ['agreements', 'paidRequests'],
  requires: [profiles, agents, receipts, gates],
  uses: [wallets, trust, connections],
  create(context, { profiles, gates, prices, receipts, payouts, signIns, dids, trust, connections }) {
    const { read, write, clock, keyring, publicUrl, serviceDid, docsUrl, logger, metrics, settings } = context
    observePayments(metrics, context.workload)
    const { hooks, payments, planLimits } = settings
    if (payments.payerProof === undefined && payments.rails.length > 0) {
      logger?.warn(
        { payerProof: 'lookup' },
        'payments.payerProof is not set: anyone who names the public address of a payer reads what it bought; set "signed", or "lookup" to accept this',
      )
    }
    const paywall = createPaywall({
      read,
      write,
      clock,
      keyring,
      metrics,
      profiles,
      gates,
      prices,
      rails: payments.rails,
      payouts: payouts ?? NO_PAYOUTS,
      signIns: signIns ?? NO_SIGN_INS,
      payerProof: payments.payerProof ?? 'lookup',
      publicUrl,
      serviceDid,
      hooks,
      visitorLookup: {
        dids,
        ...createVisitorLookup({
          read,
          // A requirement that depends on a module that is off is never met.
          trustOf: trust?.ofVisitor ?? (async () => 0),
          relationOf: connections?.relationOf ?? (async () => ({ follower: false, following: false })),
        }),
      },
      verifiers: settings.gates.requirementVerifiers,
      credentials: settings.gates.credentialVerifier,
      classifyReader: settings.audiences.classify,
      onClassifyTrouble: (error) =>
        logger?.error({ err: error }, 'audiences.classify failed; the reader counts as unverified'),
      docsUrl,
      signedOffers: payments.signedOffers,
      crawlerHeaders: payments.crawlerHeaders,
      challengeOrder: payments.challengeOrder,
      leaseMs: payments.settlementLeaseMs,
      planLimits,
      deliverPlatformSale: context.deliverPlatformSale,
      refunds: receipts.refunds,
      onTrouble: (error, { id, rail }) =>
        logger?.error({ err: error, payment: id, rail }, 'payment outcome is unclear; check it manually'),
    })
    return { paywall, agreements: createAgreements({ write, clock, profiles, gates }) }
  },
  public: {
    paywall: ({ paywall }): PaywallApi => pick(paywall, 'hasAccess', 'reconcile', 'comparePayments'),
  },
  routes(app, { paywall, profiles, gates, agreements }, context) {
    const { resourceSources: sources, trustedOrigins, settings } = context
    const returnOrigins = [...trustedOrigins, new URL(settings.frontendUrl).origin]
    const resources = createResourceTable({ sources, profiles })
    paywallRoutes(app, { paywall, resources }, { ...context, returnOrigins })
    presetRoutes(app, { gates })
    if (context.read.agreements) agreementRoutes(app, agreements, new Set(trustedOrigins))
  },
  pageActions: () => [acceptanceNotice],
  workers: ({ paywall, receipts: { refunds } }, { read, report, settings }) => [
    createReconciler({ read, paywall, refunds, onError: report, everyMs: settings.payments.settlementLeaseMs / 2 }),
  ],
})
