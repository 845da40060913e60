import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { AnalyticsApi } from '../modules/insight/analytics/api.ts'
import { analytics as create } from '../modules/insight/analytics/module.ts'
import type { analyticsOptions } from '../modules/insight/analytics/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly analytics: AnalyticsApi
  }
}

/** The options of {@link analytics}. */
export interface AnalyticsOptions extends FeatureOptions<typeof analyticsOptions> {}

/**
 * Figures about reads of profiles for their teams, without cookies and without stored addresses.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/analytics.md
 * @example
 * await app.register(eep, { ...options, modules: [analytics()] })
 */
export const analytics = (options?: AnalyticsOptions): Module => create(options)
