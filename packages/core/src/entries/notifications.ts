import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { NotificationsApi } from '../modules/events/notifications/api.ts'
import { notifications as create } from '../modules/events/notifications/module.ts'
import type { notificationsOptions } from '../modules/events/notifications/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly notifications: NotificationsApi
  }
}

/** The options of {@link notifications}. */
export interface NotificationsOptions extends FeatureOptions<typeof notificationsOptions> {}

/**
 * Notifications of accounts about events. Other modules declare their kinds in `notifications`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/notifications.md
 * @example
 * await app.register(eep, { ...options, modules: [notifications()] })
 */
export const notifications = (options?: NotificationsOptions): Module => create(options)
