import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { paywall } from '../../access/paywall/token.ts'
import { subscriptions } from '../../access/subscriptions/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { SandboxPaymentsApi } from './api.ts'
import { planRoutes } from './billing/plan.routes.ts'
import { checkoutRoutes } from './checkout.routes.ts'
import { sandboxEvents } from './events.ts'
import { sandboxOptions } from './options.ts'
import { createSandboxPayments } from './payments.ts'
import { createPlanServices, planWorker } from './plan-services.ts'
import type { SandboxPlansApi } from './plans-api.ts'
import { walletRoutes } from './test-wallet/wallet.routes.ts'
import { createWalletServices } from './test-wallet/wallet-services.ts'
import { tokenRoutes } from './tokens.routes.ts'
import { createSandboxTokens } from './tokens.ts'

/** How long pages, tokens and orders that took nothing, and wallets that were never used, are kept. */
const UNUSED_DAYS = 7
const DELETED_AT_ONCE = 500

/** Play money: pages on which people pay with test cards, and what owners need to try out everything that sells. */
export const sandbox = feature('sandbox', sandboxOptions, (options) =>
  defineModule({
    name: 'sandbox',
    events: sandboxEvents,
    requires: [profiles, paywall],
    uses: [subscriptions],
    stores: ['sandbox'],
    // Its pages let people change what was paid, so no service for other money may have it.
    takesMoney: [{ name: 'the module sandbox', moneyKind: 'sandbox' }],
    create(context, services) {
      const { read, write, clock, report } = context
      const { paywall, profiles } = services
      return {
        ...createPlanServices(context, services),
        ...createWalletServices(context, options.wallet),
        sandboxPayments: createSandboxPayments({ read, write, clock, paywall, report }),
        sandboxTokens: createSandboxTokens({ write, clock }),
        async sellerName(did: string): Promise<string> {
          const profile = await profiles.byDid(did).catch(() => undefined)
          return profile ? (profile.fullName ?? profile.username) : did
        },
      }
    },
    public: {
      sandboxPayments: ({ sandboxPayments }): SandboxPaymentsApi =>
        pick(sandboxPayments, 'listPayments', 'decidePayment', 'refundPayment', 'disputePayment'),
      sandboxPlans: ({ sandboxPlans }): SandboxPlansApi => sandboxPlans,
    },
    routes(app, services, context) {
      const {
        trustedOrigins,
        settings: { frontendUrl },
      } = context
      checkoutRoutes(app, services, { trustedOrigins, frontendUrl })
      tokenRoutes(app, services)
      planRoutes(app, services, context)
      walletRoutes(app, services, context)
    },
    workers: (services, context) => {
      const { write, clock, report } = context
      return [
        planWorker(services, context),
        ...[
          (before: Date) => write((tx) => tx.sandboxPayments.deleteUnpaid(before, DELETED_AT_ONCE)),
          (before: Date) => write((tx) => tx.sandboxPlans.deleteUnbought(before, DELETED_AT_ONCE)),
          (before: Date) => write((tx) => tx.sandboxWallets.deleteUnused(before, DELETED_AT_ONCE)),
        ].map((prune) => retention(prune, { clock, retentionDays: UNUSED_DAYS, onError: report })),
      ]
    },
  }),
)
