import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { SandboxPaymentsApi } from './api.ts'
import { checkoutRoutes } from './checkout.routes.ts'
import { sandboxOptions } from './options.ts'
import { createSandboxPayments } from './payments.ts'
import { tokenRoutes } from './tokens.routes.ts'
import { createSandboxTokens } from './tokens.ts'

/** How long pages and tokens that took nothing, and wallets that were never used, are kept. */
const UNUSED_DAYS = 7
const DELETED_AT_ONCE = 500

/** Play money: pages on which people pay with test cards, and what owners need to try out everything that sells. */
export const sandbox = feature('sandbox', sandboxOptions, (_options) =>
  defineModule({
    name: 'sandbox',
    requires: [profiles, paywall],
    stores: ['sandbox'],
    create: ({ read, write, clock, report }, { paywall, profiles }) => ({
      sandboxPayments: createSandboxPayments({ read, write, clock, paywall, report }),
      sandboxTokens: createSandboxTokens({ write, clock }),
      async sellerName(did: string): Promise<string> {
        const profile = await profiles.byDid(did).catch(() => undefined)
        return profile ? (profile.fullName ?? profile.username) : did
      },
    }),
    public: {
      sandboxPayments: ({ sandboxPayments }): SandboxPaymentsApi =>
        pick(sandboxPayments, 'listPayments', 'decidePayment', 'refundPayment', 'disputePayment'),
    },
    routes(app, services, { trustedOrigins, settings: { frontendUrl } }) {
      checkoutRoutes(app, services, { trustedOrigins, frontendUrl })
      tokenRoutes(app, services)
    },
    workers: (_services, { write, clock, report }) =>
      [
        (before: Date) => write((tx) => tx.sandboxPayments.deleteUnpaid(before, DELETED_AT_ONCE)),
        (before: Date) => write((tx) => tx.sandboxWallets.deleteUnused(before, DELETED_AT_ONCE)),
      ].map((prune) => retention(prune, { clock, retentionDays: UNUSED_DAYS, onError: report })),
  }),
)
