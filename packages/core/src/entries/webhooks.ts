import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { WebhooksApi } from '../modules/events/webhooks/api.ts'
import { webhooks as create } from '../modules/events/webhooks/module.ts'
import type { webhooksOptions } from '../modules/events/webhooks/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly webhooks: WebhooksApi
  }
}

/** The options of {@link webhooks}. */
export interface WebhooksOptions extends FeatureOptions<typeof webhooksOptions> {}

/**
 * Events delivered to URLs: the subscriptions of EEP. Plans that accounts pay for are in the module `subscriptions`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/webhooks.md
 * @example
 * await app.register(eep, { ...options, modules: [webhooks()] })
 */
export const webhooks = (options?: WebhooksOptions): Module => create(options)
