import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { SubscriptionsApi } from '../modules/access/subscriptions/api.ts'
import { subscriptions as create } from '../modules/access/subscriptions/module.ts'
import type { subscriptionsOptions } from '../modules/access/subscriptions/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly subscriptions: SubscriptionsApi
  }
}

/** The options of {@link subscriptions}. */
export interface SubscriptionsOptions extends FeatureOptions<typeof subscriptionsOptions> {}

/**
 * Plans that accounts subscribe to: billed by a processor, or paid a year ahead in stablecoins.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/billing.md
 * @example
 * await app.register(eep, { ...options, modules: [subscriptions()] })
 */
export const subscriptions = (options?: SubscriptionsOptions): Module => create(options)
