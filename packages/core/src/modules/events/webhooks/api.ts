import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Webhook, WebhookAttempt, WebhookHealth } from '../../../ports/storage/webhooks.ts'
import type { Subscribed, SubscribeRequest } from './service.ts'

/** The methods of `app.eep.webhooks`. */
export interface WebhooksApi {
  /**
   * Returns a webhook of the caller, even one that has ended.
   *
   * @throws `webhook_not_found`
   */
  get(id: string, caller: Caller): Promise<Webhook>
  /** Lists the webhooks of an account, newest first, without cancelled ones. */
  list(caller: Caller, page: PageRequest): Promise<Page<Webhook>>
  /** Cancels a webhook: nothing more is sent, and its secret is deleted. Does nothing for an unknown id. */
  cancel(id: string, caller: Caller): Promise<void>
  /**
   * Subscribes a receiver to events of a source after the receiver confirms. A webhook for the same source, types and
   * URL is renewed instead, under its id, with what the request has of other terms. When the receiver refuses, the state of the webhook is `rejected`.
   *
   * @throws `webhook_exists` with `onlyNew`, `address_refused`, `validation_failed`, `too_many_webhooks`, `too_many_webhook_requests`; `payment_required` and
   * `access_forbidden` for a tier that the subscriber does not have
   */
  subscribe(request: SubscribeRequest, caller: Caller): Promise<Subscribed>
  /**
   * Resumes deliveries, starting with the queued events.
   *
   * @throws `webhook_not_found`, `invalid_transition` unless it is paused
   */
  resume(id: string, caller: Caller): Promise<Webhook>
  /**
   * Returns statistics of the deliveries of the last 30 days.
   *
   * @throws `webhook_not_found`
   */
  getHealth(id: string, caller: Caller): Promise<WebhookHealth>
  /**
   * Lists the attempts of the last 30 days, newest first.
   *
   * @throws `webhook_not_found`, `invalid_cursor`
   */
  listAttempts(id: string, caller: Caller, page: PageRequest): Promise<Page<WebhookAttempt>>
  /**
   * Pauses deliveries, and queues events until the webhook is resumed.
   *
   * @throws `webhook_not_found`, `invalid_transition` unless it is active
   */
  pause(id: string, caller: Caller): Promise<Webhook>
}
