import type { ModuleContext } from '../../../framework/module/context.ts'
import { defineModule, type Worker } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { readinessChecks } from '../../../framework/module/readiness-checks.ts'
import { pick } from '../../../kernel/pick.ts'
import { on } from '../../../runtime/events/define-event.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { deletionScheduled } from '../../people/accounts/events.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { paywall } from '../paywall/token.ts'
import type { SubscriptionsApi } from './api.ts'
import { subscriptionEndsEmail } from './emails.ts'
import { subscriptionEvents } from './events.ts'
import { subscriptionNotifications } from './notifications.ts'
import { subscriptionsOptions } from './options.ts'
import { planPages } from './plan.pages.ts'
import { planPricesScreen } from './plan-prices.screen.ts'
import { createPrepaidFulfilment } from './prepaid-fulfilment.ts'
import { createPrepaidPlanTurns } from './prepaid-plan-turns.ts'
import { createPrepaidPlans } from './prepaid-plans.ts'
import { createPricing } from './pricing.ts'
import { subscriptionRoutes } from './routes.ts'
import { createSubscriptionService } from './service.ts'
import { usdcRoutes } from './usdc.routes.ts'

/** Plans that accounts subscribe to: billed by a processor, or paid a year ahead in stablecoins. */
export const subscriptions = feature('subscriptions', subscriptionsOptions, (options) =>
  defineModule({
    name: 'subscriptions',
    events: subscriptionEvents,
    emails: [subscriptionEndsEmail],
    notifications: subscriptionNotifications,
    requires: [profiles, paywall],
    stores: ['subscriptions'],
    create(context, { profiles, paywall }) {
      const { read, write, clock, cache, keyring, outbox, publicUrl, serviceDid, logger, report, settings } = context
      const { planLimits, frontendUrls } = settings
      const pricing = createPricing({ read, write, clock, cache })
      const prepaidFulfilment = createPrepaidFulfilment({
        clock,
        onTrouble: (error, receiptId) =>
          logger?.error({ err: error, receiptId }, 'outcome of a paid year is unclear; check it manually'),
      })
      return {
        pricing,
        prepaidFulfilment,
        prepaidPlanTurns: createPrepaidPlanTurns({
          read,
          write,
          clock,
          outbox,
          planLimits,
          delivery: prepaidFulfilment,
          link: frontendUrls.pricing,
          onError: report,
          everyMs: settings.auth.purgeIntervalMs,
        }),
        subscriptions: createSubscriptionService({
          read,
          write,
          clock,
          pricing,
          planLimits,
          logger,
          billing: options.billing,
          cancelMode: options.cancelSubscriptions,
          links: frontendUrls,
        }),
        prepaidPlans: createPrepaidPlans({
          read,
          clock,
          keyring,
          paywall,
          pricing,
          planLimits,
          publicUrl,
          serviceDid,
          async ownsDid(caller, did) {
            const profile = await profiles.byDid(did, caller).catch(() => undefined)
            return profile?.ownerAccountId === caller.account.id
          },
        }),
      }
    },
    public: {
      subscriptions: ({ subscriptions }): SubscriptionsApi =>
        pick(subscriptions, 'get', 'startTrial', 'cancel', 'change', 'openPortal', 'listInvoices'),
    },
    platformSale: ({ prepaidFulfilment }) => ({
      deliver: (sale, tx, emit) => prepaidFulfilment.deliver(sale, requireGroup(tx, 'subscriptions'), emit),
    }),
    routes(app, services, { read, settings, trustedOrigins }) {
      const { planLimits } = settings
      subscriptionRoutes(app, services, { planLimits })
      planPages(app, {
        ...services,
        planLimits,
        ownOrigins: new Set(trustedOrigins),
        accountOf: (id) => read.accounts.get(id),
      })
      usdcRoutes(app, services)
    },
    screens: ({ pricing }, { settings: { planLimits } }) => [
      planPricesScreen({ pricing, planName: (plan) => planLimits(plan).name }),
    ],
    workers: ({ subscriptions, prepaidPlanTurns }, { listen }) => [
      subscriptions.sweep,
      endWhenDeleted(subscriptions.accountDeletion.leave, listen),
      prepaidPlanTurns,
    ],
    takesMoney: options.billing && [
      { name: `billing of ${options.billing.id}`, moneyKind: options.billing.moneyKind ?? 'real' },
    ],
    readiness: () => readinessChecks('billing', options.billing),
    close: async () => options.billing?.close?.(),
    eraseAccount: ({ subscriptions }) => ({ before: ({ id }) => subscriptions.accountDeletion.end(id) }),
  }),
)

/** Ends the subscription of an account as soon as its deletion is scheduled; if this fails, the sweep repeats it. */
function endWhenDeleted(leave: (accountId: string) => Promise<void>, listen: ModuleContext['listen']): Worker {
  let unlisten: (() => void) | undefined
  return {
    start() {
      unlisten = listen(on(deletionScheduled, ({ data }) => leave(data.accountId)))
    },
    async stop() {
      unlisten?.()
    },
  }
}
