import type { Module } from '../framework/module/define-module.ts'
import type { ReactionsApi } from '../modules/publishing/reactions/api.ts'
import { reactions as create } from '../modules/publishing/reactions/module.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly reactions: ReactionsApi
  }
}

/**
 * Likes and bookmarks of pages.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/concepts/content.md
 * @example
 * await app.register(eep, { ...options, modules: [reactions()] })
 */
export const reactions = (): Module => create(undefined)
