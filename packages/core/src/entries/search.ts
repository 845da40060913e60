import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { SearchApi } from '../modules/discovery/search/api.ts'
import { search as create } from '../modules/discovery/search/module.ts'
import type { searchOptions } from '../modules/discovery/search/options.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly search: SearchApi
  }
}

/** The options of {@link search}. */
export interface SearchOptions extends FeatureOptions<typeof searchOptions> {}

/**
 * Search in profiles, pages, posts and files, if the host provides an index.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/search.md
 * @example
 * await app.register(eep, { ...options, modules: [search()] })
 */
export const search = (options?: SearchOptions): Module => create(options)
