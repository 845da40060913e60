import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** A re-encoded image. */
export interface CleanedImage {
  /** Read it to its end or destroy it. */
  readonly body: Readable
  readonly contentType: string
}

/**
 * Re-encodes images to strip metadata (locations, names, comments, previews) and data before, between or after the image
 * data.
 */
export interface ImageProcessor {
  /** The media types that it re-encodes. Images of other types are cleaned in place, or refused. */
  readonly contentTypes: readonly string[]
  /**
   * Re-encodes an image in its upright orientation. It may hold one decoded image in memory, so concurrent calls wait for
   * each other.
   *
   * @throws `image_too_large` when it has too many pixels or takes too long, `image_broken` when it cannot be decoded; the
   *   reason of the signal when it is aborted
   */
  clean(body: Readable, image: { readonly contentType: string; readonly signal: AbortSignal }): Promise<CleanedImage>
  /**
   * Draws an image as a WebP of this width, without metadata. Undefined when it is not wider, or is an animation. Without this method
   * pages load images in their own size.
   *
   * @throws as `clean` does
   */
  shrink?(
    body: Readable,
    image: { readonly contentType: string; readonly width: number; readonly signal: AbortSignal },
  ): Promise<Buffer | undefined>
}

/** Creates the error for an image with too many pixels. */
export const imageTooLarge = defineError('image_too_large', 422, 'The image has too many pixels')
/** Creates the error for an image that cannot be decoded. */
export const imageBroken = defineError('image_broken', 400, 'The image cannot be read')

/** The default limit of pixels per image. The frames of an animation are added up. */
export const MAX_IMAGE_PIXELS = 50_000_000
