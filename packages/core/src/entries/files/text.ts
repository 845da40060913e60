import type { Module } from '../../framework/module/define-module.ts'
import type { FeatureOptions } from '../../framework/module/feature.ts'
import { textExtraction as create } from '../../modules/publishing/text-extraction/module.ts'
import type { textExtractionOptions } from '../../modules/publishing/text-extraction/options.ts'

export type { DocumentConverterOptions } from '../../adapters/documents/document-converter.ts'
export { documentConverter } from '../../adapters/documents/document-converter.ts'

/** The options of {@link textExtraction}. */
export interface TextExtractionOptions extends FeatureOptions<typeof textExtractionOptions> {}

/**
 * The text of files.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/text-extraction.md
 * @example
 * await app.register(eep, { ...options, modules: [textExtraction()] })
 */
export const textExtraction = (options?: TextExtractionOptions): Module => create(options)
