import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type sharpLibrary from 'sharp'
import type { OverlayOptions, Sharp } from 'sharp'
import { mixColors } from '../../kernel/color.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { lazy } from '../../kernel/lazy.ts'
import { textDirection } from '../../kernel/text-direction.ts'
import type { CardTexts } from '../../ports/card-renderer.ts'
import { MAX_IMAGE_PIXELS } from '../../ports/image-processor.ts'
import { createLetterCheck } from './font-letters.ts'

const require = createRequire(import.meta.url)
const sharp: typeof sharpLibrary = require('sharp')

const FONT_FILE = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
const FONT = 'DejaVu Sans Bold'
const canWrite = lazy(() => createLetterCheck(readFileSync(FONT_FILE)))

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const FACE = 200
const NAME_HEIGHT = 190
/** The sizes of names, the largest that fits. */
const NAME_SIZES = [84, 64, 48, 36]
const SERVICE_SIZE = 32
const INITIAL_SIZE = 96

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

interface Drawn {
  readonly input: Buffer
  readonly width: number
  readonly height: number
}

/** Draws a text in a color. Sharp reads markup in texts, so it is escaped. */
async function drawText(text: string, size: number, color: string): Promise<Drawn> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color}">${escapeHtml(text)}</span>`,
      fontfile: FONT_FILE,
      font: `${FONT} ${size}`,
      width: WIDTH - 2 * MARGIN,
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height }
}

/** Draws a name in the largest size in which it fits. */
async function drawName(name: string, color: string): Promise<Drawn | undefined> {
  for (const size of NAME_SIZES) {
    const drawn = await drawText(name, size, color)
    if (drawn.height <= NAME_HEIGHT && drawn.width <= WIDTH - 2 * MARGIN) return drawn
  }
  return undefined
}

const CIRCLE = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${FACE}" height="${FACE}"><circle cx="${FACE / 2}" cy="${FACE / 2}" r="${FACE / 2}"/></svg>`,
)

const inCircle = (square: Sharp): Promise<Buffer> =>
  square
    .ensureAlpha()
    .composite([{ input: CIRCLE, blend: 'dest-in' }])
    .png()
    .toBuffer()

/** Draws an image in a circle; undefined when it cannot be read. */
async function drawPortrait(bytes: Uint8Array): Promise<Buffer | undefined> {
  try {
    const square = await sharp(bytes, { failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS })
      .autoOrient()
      .resize(FACE, FACE, { fit: 'cover' })
      .toColorspace('srgb')
      .png()
      .toBuffer()
    return await inCircle(sharp(square))
  } catch {
    return undefined
  }
}

/** Draws the first letter of a name in a circle, or an empty one when the font lacks the letter. */
async function drawMonogram({ name, ground, on }: CardTexts): Promise<Buffer> {
  const background = mixColors(on, 0.18, ground)
  const circle = sharp({ create: { width: FACE, height: FACE, channels: 4, background } })
  const [first] = segmenter.segment(name.trim())
  const letter = (first?.segment ?? '').toUpperCase()
  const drawn = letter !== '' && canWrite()(letter) ? await drawText(letter, INITIAL_SIZE, on) : undefined
  const written = drawn
    ? await circle
        .composite([{ input: drawn.input, gravity: 'centre' }])
        .png()
        .toBuffer()
    : await circle.png().toBuffer()
  return inCircle(sharp(written))
}

/** Draws the picture of previews of a profile as PNG: a portrait or a monogram, its name and that of the service. */
export async function drawCard(texts: CardTexts, portrait?: Uint8Array | undefined): Promise<Buffer> {
  const { name, service, ground, on } = texts
  const isRtl = textDirection(name) === 'rtl'
  const at = (width: number) => (isRtl ? WIDTH - MARGIN - width : MARGIN)
  const face = (portrait && (await drawPortrait(portrait))) ?? (await drawMonogram(texts))
  const layers: OverlayOptions[] = [{ input: face, left: at(FACE), top: MARGIN }]
  const [title, footer] = await Promise.all(
    [name, service].map(async (text, index) => {
      if (text.trim() === '' || !canWrite()(text)) return undefined
      return index === 0 ? drawName(text, on) : drawText(text, SERVICE_SIZE, on)
    }),
  )
  if (title) layers.push({ input: title.input, left: at(title.width), top: MARGIN + FACE + 40 })
  if (footer && footer.height < 2 * SERVICE_SIZE) {
    layers.push({ input: footer.input, left: at(footer.width), top: HEIGHT - MARGIN - footer.height })
  }
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: ground } })
    .composite(layers)
    .png({ compressionLevel: 9 })
    .toBuffer()
}
