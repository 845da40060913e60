import { typePrefixOf } from '../../events/signal-types.ts'
import { allPages } from '../../kernel/all-pages.ts'
import { pick } from '../../kernel/pick.ts'
import { defineCoreModule, type Worker } from '../../module/define-module.ts'
import { jsonListMember } from '../../module/export-member.ts'
import { profiles } from '../profiles/module.ts'
import { signals } from '../signals/module.ts'
import { createDeliverer } from './deliverer.ts'
import { createDispatcher } from './dispatcher.ts'
import { webhookEvents } from './events.ts'
import { deliveriesWaiting, webhookMetrics } from './metrics.ts'
import { webhookNotifications } from './notifications.ts'
import { createReceiverClient } from './receiver.ts'
import { webhookRoutes } from './routes.ts'
import { serializeWebhook } from './serialize.ts'
import { createWebhookService } from './service.ts'
import { createUpkeep } from './upkeep.ts'
import { createVerification } from './verification.ts'

/**
 * Events delivered to URLs: the subscriptions of EEP. Plans that accounts pay for are in the module `subscriptions`.
 */
export const webhooks = defineCoreModule({
  name: 'webhooks',
  events: webhookEvents,
  metrics: webhookMetrics,
  notifications: webhookNotifications,
  requires: [profiles, signals],
  stores: ['webhooks', 'followers', 'eventRetention'],
  scopes: ['read:subscriptions', 'write:subscriptions'],
  create(context, { signals }) {
    const { read, write, clock, keyring, publicUrl, counters, outbound, metrics, settings, report } = context
    metrics.observe(deliveriesWaiting, async () => {
      const workload = await context.workload()
      return workload ? [{ labels: {}, value: workload.deliveries }] : []
    })
    const { concurrency, retrySeconds, timeoutMs, createdPerDay, maxBacklog } = settings.webhooks
    const prefix = typePrefixOf(settings.signals.typePrefix)
    const receivers = createReceiverClient({ fetch: outbound, timeoutMs })
    const verify = createVerification({ write, clock, receivers })
    const deliverer = createDeliverer({
      read,
      write,
      clock,
      keyring,
      signals,
      receivers,
      retrySeconds,
      concurrency,
      verify,
      metrics,
      onError: report,
    })
    return {
      webhookDeliverer: deliverer,
      webhooks: createWebhookService({
        read,
        write,
        clock,
        keyring,
        publicUrl,
        planLimits: settings.planLimits,
        counters,
        outbound,
        receivers,
        signals,
        storedTypes: context.activeEvents.map((definition) => ({
          type: definition.type,
          signals: definition.signals?.types.map(({ type }) => ({ type, fullType: `${prefix}${type}` })) ?? [],
        })),
        verify,
        createdPerDay,
        maxBacklog,
        holder: deliverer.holder,
        wake: deliverer.wake,
      }),
    }
  },
  public: {
    webhooks: ({ webhooks }) =>
      pick(webhooks, 'subscribe', 'list', 'get', 'getHealth', 'listAttempts', 'cancel', 'pause', 'resume'),
  },
  routes: webhookRoutes,
  exportAccount: (_services, { read }) =>
    async function* ({ account: { id } }) {
      yield jsonListMember('webhooks.json', async function* () {
        for await (const webhook of allPages((request) => read.webhooks.listOfAccount(id, request)))
          yield serializeWebhook(webhook)
      })
    },
  workers({ webhookDeliverer }, { read, write, clock, catalogue, consumers, settings, report }) {
    const dispatcher = createDispatcher({
      read,
      clock,
      catalogue,
      prefix: typePrefixOf(settings.signals.typePrefix),
      maxPending: settings.webhooks.maxBacklog,
      onStored: webhookDeliverer.wake,
    })
    let unfollow: (() => Promise<void>) | undefined
    const dispatching: Worker = {
      start() {
        unfollow = consumers.durable('webhooks.dispatch', dispatcher)
      },
      stop: async () => unfollow?.(),
    }
    return [
      webhookDeliverer,
      dispatching,
      createUpkeep({ write, clock, retentionDays: settings.webhooks.retentionDays, onError: report }),
    ]
  },
  async takeOverAccount(tx, _emit, accountId, at) {
    await tx.webhooks.cancelOfAccount(accountId, at)
  },
})
