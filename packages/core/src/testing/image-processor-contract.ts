import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type ImageProcessor, imageBroken, imageTooLarge } from '../ports/image-processor.ts'
import { hiddenPng, pngOf } from './pictures.ts'
import { codeOf, contractRunner, type TestRunner } from './runner.ts'

/** An image with metadata. */
export interface ImageSample {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** A text in its bytes that must be removed. */
  readonly hidden: string
}

/** Options of {@link imageProcessorContract}. */
export interface ImageProcessorContractOptions {
  /** One image for each type that the processor re-encodes. Default: a PNG. */
  readonly images?: readonly ImageSample[] | undefined
  /** A PNG with more pixels than the processor accepts. Default: one with 400 million. */
  readonly tooLarge?: Uint8Array | undefined
}

const APPENDED = 'This follows the picture'
/** How long re-encoding may continue after the abort. */
const ABORTED_WITHIN_MS = 5_000

/**
 * Runs the contract of an {@link ImageProcessor} as test cases: only the image itself remains, files that are not images
 * or are too large are refused, and an abort ends the work.
 *
 * @param create - creates the processor; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * import * as vitest from 'vitest'
 *
 * imageProcessorContract(vitest, () => ownImages())
 */
export function imageProcessorContract(
  runner: TestRunner,
  create: () => Promise<ImageProcessor> | ImageProcessor,
  { images = [hiddenPng()], tooLarge }: ImageProcessorContractOptions = {},
): void {
  const { describe, it, beforeAll } = contractRunner(runner)

  describe('image processor', () => {
    let processor: ImageProcessor
    beforeAll(async () => {
      processor = await create()
    })

    const never = new AbortController().signal
    async function clean(bytes: Uint8Array, contentType: string, signal = never) {
      const cleaned = await processor.clean(Readable.from([Buffer.from(bytes)]), { contentType, signal })
      return { bytes: await buffer(cleaned.body), contentType: cleaned.contentType }
    }

    it('lists the types it re-encodes, including those of the contract', () => {
      assert.ok(processor.contentTypes.every((type) => type.startsWith('image/')))
      for (const { contentType } of images) assert.ok(processor.contentTypes.includes(contentType), contentType)
    })

    it('keeps the picture, and removes metadata and appended data', async () => {
      for (const { bytes, contentType, hidden } of images) {
        assert.ok(Buffer.from(bytes).includes(hidden), `${contentType}: the sample has no hidden text`)
        const cleaned = await clean(Buffer.concat([bytes, Buffer.from(APPENDED)]), contentType)
        for (const text of [hidden, APPENDED])
          assert.equal(cleaned.bytes.includes(text), false, `${contentType}: ${text}`)
        assert.match(cleaned.contentType, /^image\//)
        if (processor.contentTypes.includes(cleaned.contentType)) await clean(cleaned.bytes, cleaned.contentType)
      }
    })

    it('draws images as WebP of a width, and none that are not wider', async () => {
      if (!processor.shrink) return
      for (const { bytes, contentType, hidden } of images) {
        const shrink = (width: number, of: Uint8Array = bytes) =>
          processor.shrink?.(Readable.from([Buffer.from(of)]), { contentType, width, signal: never })
        const small = await shrink(1)
        assert.equal(small?.toString('latin1', 8, 12), 'WEBP', contentType)
        assert.equal(small.includes(hidden), false, contentType)
        assert.equal(await shrink(100_000), undefined, contentType)
        assert.equal(await codeOf(Promise.resolve(shrink(1, Buffer.from('No picture at all')))), imageBroken.code)
      }
    })

    it('re-encodes many images concurrently', async () => {
      const [{ bytes, contentType } = hiddenPng()] = images
      await Promise.all(Array.from({ length: 6 }, () => clean(bytes, contentType)))
    })

    it('refuses a file that is not an image, and a truncated image', async () => {
      for (const { bytes, contentType } of images) {
        for (const broken of [Buffer.from('No picture at all'), bytes.subarray(0, Math.ceil(bytes.length / 2))]) {
          assert.equal(await codeOf(clean(broken, contentType)), imageBroken.code, contentType)
        }
      }
    })

    it('refuses an image with too many pixels before decoding it', async () => {
      const many = tooLarge ?? pngOf(20_000, 20_000)
      assert.equal(await codeOf(clean(many, 'image/png')), imageTooLarge.code)
    })

    it('fails when the body is interrupted', async () => {
      const [{ bytes, contentType } = hiddenPng()] = images
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      body.push(bytes.subarray(0, 8))
      setImmediate(() => body.destroy(new Error('the disk is gone')))
      await assert.rejects(processor.clean(body, { contentType, signal: never }))
    })

    it('throws the reason of an aborted signal, before and during the work', async () => {
      const [{ bytes, contentType } = hiddenPng()] = images
      const enough = new Error('enough')
      const isReason = (error: unknown) => error === enough
      await assert.rejects(clean(bytes, contentType, AbortSignal.abort(enough)), isReason)

      const stopping = new AbortController()
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      body.push(bytes.subarray(0, 8))
      setImmediate(() => stopping.abort(enough))
      const tooLate = new Error('It continued')
      const late = setTimeout(() => body.destroy(tooLate), ABORTED_WITHIN_MS)
      await assert.rejects(processor.clean(body, { contentType, signal: stopping.signal }), isReason)
      clearTimeout(late)
      assert.notEqual(body.errored, tooLate, 'it continued although it was aborted')
      body.destroy()
    })
  })
}
