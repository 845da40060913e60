import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { AdminApi } from '../modules/operations/admin/api.ts'
import { admin as create } from '../modules/operations/admin/module.ts'
import type { adminOptions } from '../modules/operations/admin/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly admin: AdminApi
  }
}

/** The options of {@link admin}. */
export interface AdminOptions extends FeatureOptions<typeof adminOptions> {}

/**
 * Administration of accounts, profiles and payments.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/administration.md
 * @example
 * await app.register(eep, { ...options, modules: [admin()] })
 */
export const admin = (options?: AdminOptions): Module => create(options)
