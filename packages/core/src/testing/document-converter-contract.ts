import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { isEepError } from '../kernel/errors.ts'
import {
  conversionFailed,
  type DocumentConverter,
  documentTooLarge,
  unsupportedDocument,
} from '../ports/document-converter.ts'
import { codeOf, contractRunner, type TestRunner } from './runner.ts'

/** A document that the cases of the contract use. */
export interface DocumentSample {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Options of {@link documentConverterContract}. */
export interface DocumentConverterContractOptions {
  /** Documents that the converter reads, with words of their text. Default: a plain text. */
  readonly documents?: readonly (DocumentSample & { readonly contains: string })[] | undefined
  /** Documents of a supported type that cannot be read. Default: none. */
  readonly broken?: readonly DocumentSample[] | undefined
}

const NOTES = {
  filename: 'notes.txt',
  contentType: 'text/plain; charset=utf-8',
  bytes: Buffer.from('Hello,\r\nthis is a text.\n'),
  contains: 'this is a text',
}
const NOTHING = { filename: 'x.eep-nothing', contentType: 'application/x-eep-nothing', bytes: Buffer.from('nothing') }
const REFUSALS: readonly string[] = [unsupportedDocument.code, documentTooLarge.code, conversionFailed.code]
const REASONS: readonly unknown[] = ['broken', 'protected', 'too_complex']
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a text must not contain
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/
/** How long a document may be read after the abort. */
const ABORTED_WITHIN_MS = 5_000

/**
 * Runs the contract of a {@link DocumentConverter} as test cases: returns the same text for the same bytes, refuses documents with the right codes, keeps refusals and other errors apart, and closes every body.
 *
 * @param create - creates the converter; called once
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/text-extraction.md
 * @example
 * import * as vitest from 'vitest'
 *
 * documentConverterContract(vitest, () => ownConverter())
 */
export function documentConverterContract(
  runner: TestRunner,
  create: () => Promise<DocumentConverter> | DocumentConverter,
  { documents = [NOTES], broken = [] }: DocumentConverterContractOptions = {},
): void {
  const { describe, it, beforeAll } = contractRunner(runner)

  describe('document converter', () => {
    let converter: DocumentConverter
    beforeAll(async () => {
      converter = await create()
    })

    const [first = NOTES] = documents
    const never = new AbortController().signal
    const infoOf = ({ filename, contentType, bytes }: DocumentSample) => ({
      filename,
      contentType,
      size: bytes.length,
    })
    async function convert(document: DocumentSample) {
      const body = Readable.from([Buffer.from(document.bytes)])
      try {
        return await converter.convert(infoOf(document), body, { signal: never })
      } finally {
        assert.ok(body.readableEnded || body.destroyed, 'the body was not closed')
      }
    }
    /** A document without an end. */
    function endless() {
      const body = new Readable({ read() {} })
      body.on('error', () => {})
      body.push(first.bytes.subarray(0, 4))
      return body
    }

    it('has a version of 1 to 64 characters', () => {
      assert.match(converter.version, /^[\s\S]{1,64}$/)
    })

    it('returns the same text of a document each time, without control characters', async () => {
      for (const document of documents) {
        assert.equal(converter.reads(infoOf(document)), true, document.filename)
        const text = await convert(document)
        assert.ok(text.markdown.includes(document.contains), `${document.filename}: ${text.markdown.slice(0, 200)}`)
        assert.doesNotMatch(text.markdown, CONTROL, document.filename)
        assert.ok(text.warnings.every((warning) => typeof warning === 'string' && warning !== ''))
        assert.deepEqual(await convert(document), text, `${document.filename}, again`)
      }
    })

    it('reads many documents concurrently, with the same result', async () => {
      const texts = await Promise.all(Array.from({ length: 4 }, () => convert(first)))
      for (const text of texts) assert.deepEqual(text, texts[0])
    })

    it('refuses an unsupported document', async () => {
      assert.equal(converter.reads(infoOf(NOTHING)), false)
      assert.equal(await codeOf(convert(NOTHING)), unsupportedDocument.code)
    })

    it('refuses a broken document each time, with a reason', async () => {
      for (const document of [...broken, ...broken]) {
        await assert.rejects(convert(document), (error) => {
          assert.ok(isEepError(error), String(error))
          assert.equal(error.code, conversionFailed.code, document.filename)
          assert.ok(REASONS.includes((error.details as { reason?: unknown } | undefined)?.reason), document.filename)
          return true
        })
      }
    })

    it('does not treat an interrupted body as a refused document', async () => {
      const body = endless()
      setImmediate(() => body.destroy(new Error('the disk is gone')))
      const code = await codeOf(converter.convert(infoOf(first), body, { signal: never }))
      assert.equal(REFUSALS.includes(code), false, code)
    })

    it('throws the reason of an aborted signal, before and during a conversion, and closes the body', async () => {
      const enough = new Error('enough')
      const isReason = (error: unknown) => error === enough
      const unread = endless()
      const gone = converter.convert(infoOf(first), unread, { signal: AbortSignal.abort(enough) })
      await assert.rejects(gone, isReason)
      assert.ok(unread.destroyed, 'the body was not closed')

      const stopping = new AbortController()
      const body = endless()
      setImmediate(() => stopping.abort(enough))
      const tooLate = new Error('It continued')
      const late = setTimeout(() => body.destroy(tooLate), ABORTED_WITHIN_MS)
      await assert.rejects(converter.convert(infoOf(first), body, { signal: stopping.signal }), isReason)
      clearTimeout(late)
      assert.notEqual(body.errored, tooLate, 'it continued although it was aborted')
      assert.ok(body.destroyed, 'the body was not closed')
    })
  })
}
