import type { Module } from '../framework/module/define-module.ts'
import type { SmartSectionsApi } from '../modules/publishing/smart-sections/api.ts'
import { smartSections as create } from '../modules/publishing/smart-sections/module.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly smartSections: SmartSectionsApi
  }
}

/**
 * Sections of profiles for types of agents.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/smart-sections.md
 * @example
 * await app.register(eep, { ...options, modules: [smartSections()] })
 */
export const smartSections = (): Module => create(undefined)
