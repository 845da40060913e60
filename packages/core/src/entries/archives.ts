import { zipArchives } from '../adapters/zip-archives.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { ArchivesApi } from '../modules/publishing/archives/api.ts'
import { archives as create } from '../modules/publishing/archives/module.ts'
import type { archivesOptions } from '../modules/publishing/archives/options.ts'

export type { ArchiveSource } from '../ports/archive-format.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly archives: ArchivesApi
  }
}

/** The options of {@link archives}. */
export interface ArchivesOptions extends FeatureOptions<typeof archivesOptions> {}

/**
 * Exports of profiles and accounts, and imports of profiles.
 *
 * @throws Error with the command that installs the missing packages
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/export-and-import.md
 * @example
 * await app.register(eep, { ...options, modules: [archives()] })
 */
export const archives = (options?: ArchivesOptions): Module => create(options, { format: zipArchives() })
