import type { Module } from '../framework/module/define-module.ts'
import type { InsightsApi } from '../modules/insight/insights/api.ts'
import { insights as create } from '../modules/insight/insights/module.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly insights: InsightsApi
  }
}

/**
 * What agents read, searched and were refused, from the figures of the module `analytics`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/analytics.md
 * @example
 * await app.register(eep, { ...options, modules: [insights()] })
 */
export const insights = (): Module => create(undefined)
