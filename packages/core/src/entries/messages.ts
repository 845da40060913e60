import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { MessagesApi } from '../modules/trade/messages/api.ts'
import { messages as create } from '../modules/trade/messages/module.ts'
import type { messagesOptions } from '../modules/trade/messages/options.ts'

export type { MessagePermission } from '../modules/trade/messages/permissions.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly messages: MessagesApi
  }
}

/** The options of {@link messages}. */
export interface MessagesOptions extends FeatureOptions<typeof messagesOptions> {}

/**
 * Private conversations of two profiles.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/messages.md
 * @example
 * await app.register(eep, { ...options, modules: [messages()] })
 */
export const messages = (options?: MessagesOptions): Module => create(options)
