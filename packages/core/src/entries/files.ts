import { fileToolkit } from '../adapters/file-toolkit/file-toolkit.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { FeatureOptions } from '../framework/module/feature.ts'
import type { FilesApi } from '../modules/publishing/files/api.ts'
import { files as create } from '../modules/publishing/files/module.ts'
import type { filesOptions } from '../modules/publishing/files/options.ts'

export type { ClamdScannerOptions } from '../adapters/clamd-scanner.ts'
export { clamdScanner } from '../adapters/clamd-scanner.ts'
export type { DirectoryBlobsOptions } from '../adapters/directory-blobs.ts'
export { directoryBlobs } from '../adapters/directory-blobs.ts'
export { shareCards } from '../adapters/images/share-cards.ts'
export type { SharpImagesOptions } from '../adapters/images/sharp-images.ts'
export { sharpImages } from '../adapters/images/sharp-images.ts'
export type { FilePermission } from '../modules/publishing/files/permissions.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly files: FilesApi
  }
}

/** The options of {@link files}. */
export interface FilesOptions extends FeatureOptions<typeof filesOptions> {}

/**
 * Files of profiles: uploads, scanning, images and downloads.
 *
 * @throws Error with the command that installs the missing packages
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * await app.register(eep, { ...options, modules: [files()] })
 */
export const files = (options?: FilesOptions): Module => create(options, { toolkit: fileToolkit() })
