import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { paywall } from '../../access/paywall/token.ts'
import { receipts } from '../../access/receipts/token.ts'
import { subscriptions } from '../../access/subscriptions/token.ts'
import { accounts } from '../../people/accounts/token.ts'
import { wallets } from '../../people/wallets/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { SandboxApi, SandboxPaymentsApi } from './api.ts'
import { planRoutes } from './billing/plan.routes.ts'
import { createCardReceipts } from './card-receipts.ts'
import { checkoutRoutes } from './checkout.routes.ts'
import { dashboardRoutes } from './dashboard.routes.ts'
import { createDesk } from './desk.ts'
import { sandboxEvents } from './events.ts'
import { createGuard, newSandboxKey } from './guard.ts'
import { mailRoutes } from './mail.routes.ts'
import { sandboxOptions } from './options.ts'
import { createSandboxPayments } from './payments.ts'
import { createPeople } from './people.ts'
import { createPlanServices, planWorker } from './plan-services.ts'
import type { SandboxPlansApi } from './plans-api.ts'
import { cardReceiptEmail } from './receipt-email.ts'
import { testBalance } from './test-wallet/test-balance-html.ts'
import { walletRoutes } from './test-wallet/wallet.routes.ts'
import { createWalletSales } from './test-wallet/wallet-sales.ts'
import { createWalletServices } from './test-wallet/wallet-services.ts'
import { tokenRoutes } from './tokens.routes.ts'
import { createSandboxTokens } from './tokens.ts'

/** How long pages, tokens and orders that took nothing, and wallets that were never used, are kept. */
const UNUSED_DAYS = 7
const DELETED_AT_ONCE = 500

/** Play money: pages on which people pay with test cards, and what owners need to try out everything that sells. */
export const sandbox = feature('sandbox', sandboxOptions, ({ key = newSandboxKey(), owner, mailbox, wallet }) =>
  defineModule({
    name: 'sandbox',
    events: sandboxEvents,
    emails: [cardReceiptEmail],
    requires: [profiles, paywall, accounts, receipts],
    uses: [subscriptions, wallets],
    stores: ['sandbox'],
    // Its pages let people change what was paid, so no service for other money may have it.
    takesMoney: [{ name: 'the module sandbox', moneyKind: 'sandbox' }],
    create(context, services) {
      const { read, write, clock, report, publicUrl, cookies, settings } = context
      const { paywall, profiles, accounts, receipts } = services
      const planServices = createPlanServices(context, services)
      async function sellerName(did: string): Promise<string> {
        const profile = await profiles.byDid(did).catch(() => undefined)
        return profile ? (profile.fullName ?? profile.username) : did
      }
      const onPaid = createCardReceipts(context, sellerName)
      const sandboxPayments = createSandboxPayments({ read, write, clock, paywall, report, onPaid })
      return {
        ...planServices,
        ...createWalletServices(context, wallet),
        sandboxPayments,
        sandboxTokens: createSandboxTokens({ write, clock }),
        sellerName,
        guard: createGuard({ key, publicUrl, cookies }),
        desk: createDesk({
          payments: sandboxPayments,
          plans: planServices.sandboxPlans,
          walletSales: createWalletSales({ read, write, clock, receipts }),
          sellerName,
          accountName: async (id) => (await read.accounts.get(id))?.username ?? id,
        }),
        people: createPeople({
          read,
          write,
          clock,
          accounts,
          owner,
          adminEmails: settings.auth.adminEmails,
          publicAfterVerification: settings.profiles.publicAfterVerification,
          takeOvers: context.takeOvers,
        }),
      }
    },
    pageActions: ({ payouts }, { read }) => [testBalance({ read, payoutsOf: payouts?.addressesOf })],
    public: {
      sandbox: ({ guard }): SandboxApi => ({ url: guard.url }),
      sandboxPayments: ({ sandboxPayments }): SandboxPaymentsApi =>
        pick(sandboxPayments, 'listPayments', 'decidePayment', 'refundPayment', 'disputePayment'),
      sandboxPlans: ({ sandboxPlans }): SandboxPlansApi => sandboxPlans,
    },
    routes(app, services, context) {
      const { read, cookies, trustedOrigins, settings } = context
      const { auth, frontendUrl } = settings
      const { guard, desk, people } = services
      checkoutRoutes(app, services, { trustedOrigins, frontendUrl })
      tokenRoutes(app, services)
      planRoutes(app, services, context)
      walletRoutes(app, services, context)
      guard.scope(app, (guarded) => {
        // Users of a host sign in at the host.
        dashboardRoutes(guarded, { desk, people: auth.hostAuth ? undefined : people, cookies })
        if (mailbox) mailRoutes(guarded, { read })
      })
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
