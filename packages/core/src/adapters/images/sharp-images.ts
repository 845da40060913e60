import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type sharpLibrary from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import { assertInstalled, loadInstalled } from '../../kernel/assert-installed.ts'
import { type EepError, isEepError } from '../../kernel/errors.ts'
import { createSemaphore } from '../../kernel/semaphore.ts'
import { type ImageProcessor, imageBroken, imageTooLarge, MAX_IMAGE_PIXELS } from '../../ports/image-processor.ts'

/** Options of {@link sharpImages}. */
export interface SharpImagesOptions {
  /** Images with more pixels are refused, all frames of an animation together. Default: 50 million. */
  readonly maxPixels?: number | undefined
  /** How long re-encoding may take. Default: 30 seconds. */
  readonly timeoutSeconds?: number | undefined
  /** How many are re-encoded concurrently. Default: one. Each needs its file, the result, and about ten bytes per pixel. */
  readonly concurrency?: number | undefined
}

const QUALITY = 90
/** The WebP quality of images that pages show in a smaller size. */
const SMALL_QUALITY = 76

interface Format {
  /** The format name that sharp reports for the input. */
  readonly read: string
  readonly contentType: string
  write(image: Sharp, metadata: Metadata): Sharp
}

const PNG: Format = {
  read: 'png',
  contentType: 'image/png',
  write: (image) => image.png(),
}

const FORMATS: Readonly<Record<string, Format>> = {
  'image/jpeg': {
    read: 'jpeg',
    contentType: 'image/jpeg',
    write: (image, { chromaSubsampling }) =>
      image.jpeg({ quality: QUALITY, chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0' }),
  },
  'image/png': PNG,
  // Of its pictures only the first is read.
  'image/apng': PNG,
  'image/webp': {
    read: 'webp',
    contentType: 'image/webp',
    write: (image) => image.webp({ quality: QUALITY, effort: 2 }),
  },
  'image/gif': { read: 'gif', contentType: 'image/gif', write: (image) => image.gif() },
  'image/avif': { read: 'heif', contentType: 'image/avif', write: (image) => image.avif({ quality: 70, effort: 2 }) },
}

/**
 * Re-encodes JPEG, PNG, WebP, GIF and AVIF with sharp, which the host installs: turned upright, in sRGB, with its
 * animation (but for APNG), and without anything else that was in the file. Sharp is loaded for the first image: it takes 10 MB.
 *
 * @throws MissingPackagesError when `sharp` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * await app.register(eep, { ...options, modules: [files({ blobStore, imageProcessor: sharpImages() })] })
 */
export function sharpImages({
  maxPixels = MAX_IMAGE_PIXELS,
  timeoutSeconds = 30,
  concurrency = 1,
}: SharpImagesOptions = {}): ImageProcessor {
  // A host without sharp can load the entry, and one that lacks it finds out at its start.
  assertInstalled('sharp')
  const redraws = createSemaphore(concurrency)

  /** Opens an image whose format and pixels are allowed, and draws it with what `write` returns; undefined to draw nothing. */
  async function draw(
    body: Readable,
    { contentType, signal }: { readonly contentType: string; readonly signal: AbortSignal },
    write: (open: (animated: boolean) => Sharp, metadata: Metadata, format: Format) => Sharp | undefined,
  ): Promise<{ readonly drawn: Buffer; readonly format: Format } | undefined> {
    const format = FORMATS[contentType]
    if (!format) throw imageBroken()
    const bytes = await buffer(addAbortSignal(signal, body)).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error
    })
    const sharp = loadInstalled<typeof sharpLibrary>('sharp')
    try {
      // The pixels of all pictures are counted below, before any is drawn.
      const open = (animated: boolean) => sharp(bytes, { animated, failOn: 'error', limitInputPixels: maxPixels })
      const metadata = await open(true).metadata()
      if (metadata.format !== format.read) throw imageBroken()
      assertSmall(metadata, maxPixels)
      const image = write(open, metadata, format)
      if (!image) return undefined
      const drawn = await image.timeout({ seconds: timeoutSeconds }).toBuffer()
      signal.throwIfAborted()
      return { drawn, format }
    } catch (error) {
      throw signal.aborted ? signal.reason : refusalOf(error)
    }
  }

  return {
    contentTypes: Object.keys(FORMATS),
    clean: (body, image) =>
      redraws.run(image.signal, async () => {
        const result = await draw(body, image, (open, metadata, format) => {
          // A turned animation would be its pictures in one long strip.
          const upright = isAnimated(metadata) ? open(true) : open(false).autoOrient()
          return format.write(upright.withIccProfile('srgb'), metadata)
        })
        if (!result) throw imageBroken()
        return { body: Readable.from([result.drawn]), contentType: result.format.contentType }
      }),
    shrink: (body, { width, ...image }) =>
      redraws.run(image.signal, async () => {
        const result = await draw(body, image, (open, metadata) =>
          isAnimated(metadata) || metadata.autoOrient.width <= width
            ? undefined
            : open(false)
                .autoOrient()
                .resize({ width })
                .toColorspace('srgb')
                .webp({ quality: SMALL_QUALITY, effort: 2 }),
        )
        return result?.drawn
      }),
  }
}

const isAnimated = ({ pages = 1 }: Metadata): boolean => pages > 1

function assertSmall({ width, height, pageHeight, pages = 1 }: Metadata, maxPixels: number) {
  const pixels = width * (pageHeight ?? height) * pages
  if (pixels > maxPixels) throw imageTooLarge({ details: { pixels, max_pixels: maxPixels } })
}

function refusalOf(error: unknown): EepError {
  if (isEepError(error)) return error
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit|dimension|too large/i.test(message)) return imageTooLarge({ cause: error })
  if (/^timeout/i.test(message)) return imageTooLarge({ message: 'Processing the image takes too long', cause: error })
  return imageBroken({ cause: error })
}
