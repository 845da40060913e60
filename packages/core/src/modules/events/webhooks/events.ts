import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** The `entityId` of the service, which is not a profile. */
const SERVICE = 0

const data = z.object({ subscriptionId: z.string() })
const wire = z.object({ subscription_id: z.string() })
const about = { audience: 'account', subject: 'account' } as const

/** Defines an event about a subscription for its account. */
const subscriptionEvent = <const Type extends string>(type: Type, signal: string, summary: string) =>
  defineEvent(type, {
    ...about,
    data,
    signal: {
      types: { [signal]: wire },
      of: ({ subscriptionId }) => ({ type: signal, data: { subscription_id: subscriptionId } }),
    },
    summary,
  })

export const subscriptionCreated = defineEvent('webhooks.subscription_created', {
  ...about,
  data: data.extend({
    isNewReceiver: z
      .boolean()
      .optional()
      .describe('Whether it is the first that sends private events of its source to its host'),
  }),
  signal: {
    types: { 'subscription.created': wire },
    of: ({ subscriptionId }) => ({ type: 'subscription.created', data: { subscription_id: subscriptionId } }),
  },
  summary: 'A subscription was verified by its receiver',
})
export const subscriptionResumed = subscriptionEvent(
  'webhooks.subscription_resumed',
  'subscription.resumed',
  'A paused subscription was resumed',
)
export const subscriptionExpiring = subscriptionEvent(
  'webhooks.subscription_expiring',
  'subscription.expiring',
  'The lease of a subscription expires soon',
)
export const subscriptionExpired = subscriptionEvent(
  'webhooks.subscription_expired',
  'subscription.expired',
  'The lease of a subscription expired',
)
export const subscriptionCancelled = subscriptionEvent(
  'webhooks.subscription_cancelled',
  'subscription.cancelled',
  'A subscription was cancelled',
)
export const subscriptionTested = defineEvent('webhooks.subscription_tested', {
  ...about,
  data: data.extend({
    entityId: z
      .int()
      .optional()
      .describe('Set when the delivery carries `entity.updated`: the source, 0 for the service'),
  }),
  signal: {
    types: {
      'subscription.test': wire,
      'entity.updated': z.object({ entity_id: z.int(), changed_fields: z.array(z.string()) }),
    },
    of: ({ subscriptionId, entityId }) =>
      entityId === undefined
        ? { type: 'subscription.test', data: { subscription_id: subscriptionId }, webhookId: subscriptionId }
        : {
            type: 'entity.updated',
            data: { entity_id: entityId, changed_fields: [] },
            webhookId: subscriptionId,
            ...(entityId !== SERVICE && { sourceProfileId: entityId }),
          },
  },
  summary: 'The owner of a subscription requested a test delivery',
})

const PAUSE_REASONS = ['owner', 'failures', 'backlog', 'gone', 'key_ended'] as const

export const subscriptionPaused = defineEvent('webhooks.subscription_paused', {
  ...about,
  data: data.extend({ reason: z.enum(PAUSE_REASONS) }),
  signal: {
    types: { 'subscription.paused': wire.extend({ reason: z.enum(PAUSE_REASONS) }) },
    of: ({ subscriptionId, reason }) => ({
      type: 'subscription.paused',
      data: { subscription_id: subscriptionId, reason },
    }),
  },
  audit: {
    type: 'webhook.delivery.abandoned',
    outcome: 'failure',
    of: ({ subscriptionId, reason }) =>
      reason === 'owner'
        ? undefined
        : { actor: { kind: 'service' }, failureReason: reason, metadata: { subscription_id: subscriptionId } },
  },
  summary:
    'A subscription was paused by its owner, after failed deliveries, or because its API key or the role of its account ended',
})

export const webhookEvents = [
  subscriptionCreated,
  subscriptionPaused,
  subscriptionResumed,
  subscriptionExpiring,
  subscriptionExpired,
  subscriptionCancelled,
  subscriptionTested,
] as const
