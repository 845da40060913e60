import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type ImageCleaner, imageBroken, imageTooLarge } from '../ports/image-cleaner.ts'
import { hiddenPng, pngOf } from './pictures.ts'
import { codeOf, hooksOf, type TestRunner } from './runner.ts'

/** An image with something in it beside its picture. */
export interface ImageSample {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** A text in the bytes of which nothing may stay. */
  readonly hidden: string
}

/** Options of {@link imageCleanerContract}. */
export interface ImageCleanerContractOptions {
  /** One for each type that the cleaner draws; a PNG unless told. */
  readonly images?: readonly ImageSample[] | undefined
  /** A PNG of more pixels than the cleaner draws; one of 400 million unless told. */
  readonly tooLarge?: Uint8Array | undefined
}

const BEHIND = 'This stands behind the picture'
/** How long a picture may go on that nobody waits for. */
const ABORTED_WITHIN_MS = 5_000

/**
 * Runs the contract of an {@link ImageCleaner} as test cases: of what was sent only the picture stays, what is none or too
 * large is refused, and who gives it up is not kept waiting.
 *
 * @param create - makes the cleaner; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * import * as vitest from 'vitest'
 *
 * imageCleanerContract(vitest, () => ownImages())
 */
export function imageCleanerContract(
  runner: TestRunner,
  create: () => Promise<ImageCleaner> | ImageCleaner,
  { images = [hiddenPng()], tooLarge }: ImageCleanerContractOptions = {},
): void {
  const { describe, it } = runner
  const { beforeAll } = hooksOf(runner)

  describe('image cleaner', () => {
    let cleaner: ImageCleaner
    beforeAll(async () => {
      cleaner = await create()
    })

    const never = new AbortController().signal
    async function clean(bytes: Uint8Array, contentType: string, signal = never) {
      const cleaned = await cleaner.clean(Readable.from([Buffer.from(bytes)]), { contentType, signal })
      return { bytes: await buffer(cleaned.body), contentType: cleaned.contentType }
    }

    it('names the types it draws, and draws those of the contract', () => {
      assert.ok(cleaner.contentTypes.every((type) => type.startsWith('image/')))
      for (const { contentType } of images) assert.ok(cleaner.contentTypes.includes(contentType), contentType)
    })

    it('keeps a picture that can be drawn again, and nothing that was hidden in it or stood behind it', async () => {
      for (const { bytes, contentType, hidden } of images) {
        assert.ok(Buffer.from(bytes).includes(hidden), `${contentType}: the sample hides nothing`)
        const cleaned = await clean(Buffer.concat([bytes, Buffer.from(BEHIND)]), contentType)
        for (const text of [hidden, BEHIND])
          assert.equal(cleaned.bytes.includes(text), false, `${contentType}: ${text}`)
        assert.match(cleaned.contentType, /^image\//)
        if (cleaner.contentTypes.includes(cleaned.contentType)) await clean(cleaned.bytes, cleaned.contentType)
      }
    })

    it('lets many wait for their turn', async () => {
      const [{ bytes, contentType } = hiddenPng()] = images
      await Promise.all(Array.from({ length: 6 }, () => clean(bytes, contentType)))
    })

    it('refuses what is no image, and what is one in part only', async () => {
      for (const { bytes, contentType } of images) {
        for (const broken of [Buffer.from('No picture at all'), bytes.subarray(0, Math.ceil(bytes.length / 2))]) {
          assert.equal(await codeOf(clean(broken, contentType)), imageBroken.code, contentType)
        }
      }
    })

    it('refuses more pixels than it draws, before it draws them', async () => {
      const many = tooLarge ?? pngOf(20_000, 20_000)
      assert.equal(await codeOf(clean(many, 'image/png')), imageTooLarge.code)
    })

    it('fails when the bytes break off', async () => {
      const [{ bytes, contentType } = hiddenPng()] = images
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      body.push(bytes.subarray(0, 8))
      setImmediate(() => body.destroy(new Error('the disk is gone')))
      await assert.rejects(cleaner.clean(body, { contentType, signal: never }))
    })

    it('gives up with the reason of the signal, before and in the middle', async () => {
      const [{ bytes, contentType } = hiddenPng()] = images
      const enough = new Error('enough')
      const isReason = (error: unknown) => error === enough
      await assert.rejects(clean(bytes, contentType, AbortSignal.abort(enough)), isReason)

      const stopping = new AbortController()
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      body.push(bytes.subarray(0, 8))
      setImmediate(() => stopping.abort(enough))
      const tooLate = new Error('It went on')
      const late = setTimeout(() => body.destroy(tooLate), ABORTED_WITHIN_MS)
      await assert.rejects(cleaner.clean(body, { contentType, signal: stopping.signal }), isReason)
      clearTimeout(late)
      assert.notEqual(body.errored, tooLate, 'it went on although it was aborted')
      body.destroy()
    })
  })
}
