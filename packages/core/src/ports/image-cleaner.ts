import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** An image without anything but its picture. */
export interface CleanedImage {
  /** To be read to its end or destroyed. */
  readonly body: Readable
  readonly contentType: string
}

/**
 * Re-encodes images to strip metadata and appended data: no locations, names, comments or previews, and nothing
 * before, between or after.
 */
export interface ImageCleaner {
  /** Which types it draws; images of other types are kept as they came. */
  readonly contentTypes: readonly string[]
  /**
   * The same picture, upright. It may hold one image in memory, so it lets the others wait.
   *
   * @throws `image_too_large` when it has more pixels than it draws or takes too long, `image_broken` when it is none; the
   * reason of the signal when that gives it up
   */
  clean(body: Readable, image: { readonly contentType: string; readonly signal: AbortSignal }): Promise<CleanedImage>
}

/** Creates the error of an image with more pixels than are re-encoded. */
export const imageTooLarge = defineError('image_too_large', 422, 'The image has more pixels than are kept here')
/** Creates the error of an image that cannot be decoded. */
export const imageBroken = defineError('image_broken', 400, 'The image cannot be read')

/** How many pixels an image may have unless a cleaner says otherwise; those of an animation count together. */
export const MAX_IMAGE_PIXELS = 50_000_000
