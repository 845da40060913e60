import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import { reports as create } from '../modules/operations/reports/module.ts'
import type { reportsOptions } from '../modules/operations/reports/options.ts'

/** The options of {@link reports}. */
export interface ReportsOptions extends FeatureOptions<typeof reportsOptions> {}

/**
 * Reports of messages and posts to administrators.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/administration.md
 * @example
 * await app.register(eep, { ...options, modules: [reports()] })
 */
export const reports = (options?: ReportsOptions): Module => create(options)
