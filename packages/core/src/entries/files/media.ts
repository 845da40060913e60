import type { Module } from '../../framework/module/define-module.ts'
import type { FeatureOptions } from '../../framework/module/feature.ts'
import type { MediaApi } from '../../modules/publishing/media/api.ts'
import { media as create } from '../../modules/publishing/media/module.ts'
import type { mediaOptions } from '../../modules/publishing/media/options.ts'

export type { HttpTranscriberOptions } from '../../adapters/http-transcriber.ts'
export { httpTranscriber } from '../../adapters/http-transcriber.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly media: MediaApi
  }
}

/** The options of {@link media}. */
export interface MediaOptions extends FeatureOptions<typeof mediaOptions> {}

/**
 * Transcripts of recordings.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/transcripts.md
 * @example
 * await app.register(eep, { ...options, modules: [media()] })
 */
export const media = (options?: MediaOptions): Module => create(options)
