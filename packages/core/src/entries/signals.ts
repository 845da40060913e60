import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { SignalsApi } from '../modules/events/signals/api.ts'
import { signals as create } from '../modules/events/signals/module.ts'
import type { signalsOptions } from '../modules/events/signals/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly signals: SignalsApi
  }
}

/** The options of {@link signals}. */
export interface SignalsOptions extends FeatureOptions<typeof signalsOptions> {}

/**
 * Public events: types, streams, history and retention.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/follow-changes.md
 * @example
 * await app.register(eep, { ...options, modules: [signals()] })
 */
export const signals = (options?: SignalsOptions): Module => create(options)
