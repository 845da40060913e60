import { defineError } from '../../kernel/errors.ts'

export const webhookNotFound = defineError('webhook_not_found', 404, 'No subscription of yours has this id')
export const tooManyWebhooks = defineError(
  'too_many_webhooks',
  409,
  'The account has as many subscriptions as its plan allows',
)
export const tooManyWebhookRequests = defineError(
  'too_many_webhook_requests',
  429,
  'Too many subscriptions were created, renewed or tested, or events delivered again, today; try again tomorrow',
)
export const webhookBacklogFull = defineError(
  'webhook_backlog_full',
  409,
  'The queue of the subscription is full; try again once some of its events are delivered',
)
export const deliveryMethodUnsupported = defineError(
  'delivery_method_unsupported',
  400,
  'Only delivery_method "webhook" is created here; open GET /eep/stream for server-sent events',
)
