import { defineError } from '../../../kernel/errors.ts'

export const webhookNotFound = defineError('webhook_not_found', 404, 'Subscription not found')
export const webhookSourceUnavailable = defineError(
  'webhook_source_unavailable',
  409,
  'The source of the subscription was deleted, or is not public any more; the subscription receives no events until it is public',
)
export const webhookExists = defineError(
  'webhook_exists',
  409,
  'A subscription with the same source, types and URL exists; it was not changed',
)
export const tooManyWebhooks = defineError(
  'too_many_webhooks',
  409,
  'The account has the maximum number of subscriptions of its plan; delete one first',
  { planLimit: true },
)
export const tooManyWebhookRequests = defineError(
  'too_many_webhook_requests',
  429,
  'Daily limit of creations, renewals, tests or redeliveries reached; try again tomorrow',
)
export const webhookBacklogFull = defineError(
  'webhook_backlog_full',
  409,
  'The queue of the subscription is full; try again after some of its events are delivered',
)
export const webhookUnconfirmed = defineError(
  'webhook_unconfirmed',
  422,
  'The receiver did not confirm the subscription; it must return the challenge of the intent check, with status 200',
)
export const deliveryMethodUnsupported = defineError(
  'delivery_method_unsupported',
  400,
  'Only delivery_method "webhook" can be created; use GET /eep/stream for server-sent events',
)
