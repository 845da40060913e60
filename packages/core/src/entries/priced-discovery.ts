import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { pricedDiscovery as create } from '../modules/discovery/priced-discovery/module.ts'
import type { pricedDiscoveryOptions } from '../modules/discovery/priced-discovery/options.ts'

/** The options of {@link pricedDiscovery}. */
export interface PricedDiscoveryOptions extends FeatureOptions<typeof pricedDiscoveryOptions> {}

/**
 * Describes paid resources to catalogues and agents that buy by themselves.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/priced-discovery.md
 * @example
 * await app.register(eep, { ...options, modules: [pricedDiscovery({ tags: ['research'] })] })
 */
export const pricedDiscovery = (options?: PricedDiscoveryOptions): Module => create(options)
