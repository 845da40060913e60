import { defineModule, type Worker } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { on } from '../../../runtime/events/define-event.ts'
import { paywall } from '../../access/paywall/token.ts'
import { keyRevoked } from '../../people/api-keys/events.ts'
import { memberRemoved } from '../../people/teams/events.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { signals } from '../signals/token.ts'
import type { WebhooksApi } from './api.ts'
import { createDeliverer } from './deliverer.ts'
import { createDispatcher } from './dispatcher.ts'
import { createWebhookKeys, PAUSED_AT_ONCE } from './ended-keys.ts'
import { webhookEvents } from './events.ts'
import { deliveriesWaiting, webhookMetrics } from './metrics.ts'
import { webhookNotifications } from './notifications.ts'
import { webhooksOptions } from './options.ts'
import { webhookLimits } from './plan-limits.ts'
import { privateEvents } from './private-events.ts'
import { createReceiverClient } from './receiver.ts'
import { webhookRoutes } from './routes.ts'
import { createWebhookService } from './service.ts'
import { createUpkeep } from './upkeep.ts'
import { createVerification } from './verification.ts'
import { webhookScreen } from './webhooks.screen.ts'

/**
 * Events delivered to URLs: the subscriptions of EEP. Plans that accounts pay for are in the module `subscriptions`.
 */
export const webhooks = feature('webhooks', webhooksOptions, (options) =>
  defineModule({
    name: 'webhooks',
    events: webhookEvents,
    metrics: webhookMetrics,
    notifications: webhookNotifications,
    requires: [profiles, signals],
    uses: [paywall],
    stores: ['webhooks', 'followers', 'eventRetention'],
    planLimits: webhookLimits,
    eventDelivery: ['webhook'],
    // A webhook would go on after the app that created it was disconnected.
    scopes: ['read:subscriptions', { name: 'write:subscriptions', only: 'keys' }],
    create(context, { profiles, signals, paywall }) {
      const { read, write, clock, keyring, publicUrl, counters, outbound, metrics, settings, moneyKind, report } =
        context
      metrics.observe(deliveriesWaiting, async () => {
        const workload = await context.workload()
        return workload ? [{ labels: {}, value: workload.deliveries }] : []
      })
      const { concurrency, retrySeconds, timeoutMs, createdPerDay, maxBacklog } = options
      const prefix = context.eventTypePrefix
      const receivers = createReceiverClient({ fetch: outbound, timeoutMs })
      const storedTypes = context.activeEvents.map((definition) => ({
        type: definition.type,
        audience: definition.audience,
        signals: definition.signals?.types.map(({ type }) => ({ type, fullType: `${prefix}${type}` })) ?? [],
      }))
      const verify = createVerification({ write, clock, receivers, namesPrivate: privateEvents(storedTypes) })
      const keys = createWebhookKeys({ read, write, clock })
      const deliverer = createDeliverer({
        read,
        write,
        clock,
        keyring,
        signals,
        receivers,
        keys,
        retrySeconds,
        concurrency,
        isSandbox: moneyKind === 'sandbox',
        verify,
        metrics,
        onError: report,
      })
      return {
        webhookDeliverer: deliverer,
        webhookKeys: keys,
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
          profiles,
          storedTypes,
          verify,
          paywall,
          createdPerDay,
          maxBacklog,
          holder: deliverer.holder,
          wake: deliverer.wake,
        }),
      }
    },
    public: {
      webhooks: ({ webhooks }): WebhooksApi =>
        pick(webhooks, 'subscribe', 'list', 'get', 'getHealth', 'listAttempts', 'cancel', 'pause', 'resume'),
    },
    routes: webhookRoutes,
    screens({ webhooks }, { publicUrl, activeEvents }) {
      // Events of an account have no profile as their source.
      const types = activeEvents
        .filter(({ audience }) => audience === 'public' || audience === 'team')
        .flatMap(({ signals }) => signals?.types.map(({ type }) => type) ?? [])
      const families = [...new Set(types.map((type) => `${type.split('.', 1)[0]}.*`))].toSorted()
      return [webhookScreen({ webhooks, publicUrl, families })]
    },
    workers({ webhookDeliverer, webhookKeys }, { read, write, clock, catalogue, consumers, eventTypePrefix, report }) {
      const dispatcher = createDispatcher({
        read,
        clock,
        catalogue,
        prefix: eventTypePrefix,
        maxPending: options.maxBacklog,
        onStored: webhookDeliverer.wake,
      })
      let unfollow: (() => Promise<void>) | undefined
      const dispatching: Worker = {
        start() {
          unfollow = consumers.durable('webhooks.dispatch', dispatcher)
        },
        stop: async () => unfollow?.(),
      }
      let unfollowKeys: (() => Promise<void>) | undefined
      const pausing: Worker = {
        start() {
          const pauseOfKeys = on(keyRevoked, async () => {
            while ((await webhookKeys.pauseEnded()) === PAUSED_AT_ONCE);
          })
          const pauseOfFormerMember = on(memberRemoved, async ({ data, profileId }) => {
            if (profileId !== null) await webhookKeys.pauseOfFormerMember(data.accountId, profileId)
          })
          unfollowKeys = consumers.durable(
            'webhooks.keys',
            async (event) => {
              await pauseOfKeys(event)
              await pauseOfFormerMember(event)
            },
            { types: new Set([pauseOfKeys.type, pauseOfFormerMember.type]) },
          )
        },
        stop: async () => unfollowKeys?.(),
      }
      return [
        webhookDeliverer,
        dispatching,
        pausing,
        createUpkeep({
          write,
          clock,
          keys: webhookKeys,
          retentionDays: options.retentionDays,
          onError: report,
        }),
      ]
    },
  }),
)
