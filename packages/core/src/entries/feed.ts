import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { FeedApi } from '../modules/publishing/feed/api.ts'
import { feed as create } from '../modules/publishing/feed/module.ts'
import type { feedOptions } from '../modules/publishing/feed/options.ts'

export type { FeedPermission } from '../modules/publishing/feed/permissions.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly feed: FeedApi
  }
}

/** The options of {@link feed}. */
export interface FeedOptions extends FeatureOptions<typeof feedOptions> {}

/**
 * Short public updates of profiles, and likes of them.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/feed.md
 * @example
 * await app.register(eep, { ...options, modules: [feed()] })
 */
export const feed = (options?: FeedOptions): Module => create(options)
