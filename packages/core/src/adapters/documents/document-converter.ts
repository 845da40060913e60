import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { createSemaphore } from '../../kernel/semaphore.ts'
import {
  conversionFailed,
  type DocumentConverter,
  documentTooLarge,
  unsupportedDocument,
} from '../../ports/document-converter.ts'
import { documentKindOf } from './document-kind.ts'
import { runProcess } from './run-process.ts'

/** Options of {@link documentConverter}. */
export interface DocumentConverterOptions {
  /** Larger files are refused. Default: 32 MB. */
  readonly maxBytes?: number | undefined
  /** Longer conversions are ended. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined
  /** Conversions that use more memory are ended. Default: 512 MB, of which the process needs 90. */
  readonly maxMemoryMb?: number | undefined
  /** How many run concurrently; the others wait. Default: one less than the number of cores, at most two. */
  readonly concurrency?: number | undefined
}

/** Changes whenever the output changes. */
const VERSION = 'eep-2'

/**
 * Reads plain text, Markdown, CSV, HTML, PDF, DOCX, PPTX and XLSX, each in a separate process that ends afterwards: without
 * network, with limits of time and memory. Most types need packages that the host installs, which the page below lists; without
 * them such files are `unsupported_document`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/text-extraction.md
 * @example
 * await app.register(eep, { ...options, modules: [files({ blobStore }), textExtraction({ converter: documentConverter() })] })
 */
export function documentConverter({
  maxBytes = 33_554_432,
  timeoutMs = 30_000,
  maxMemoryMb = 512,
  concurrency = Math.min(2, Math.max(1, availableParallelism() - 1)),
}: DocumentConverterOptions = {}): DocumentConverter {
  const conversions = createSemaphore(concurrency)

  return {
    version: VERSION,
    reads: ({ contentType, filename }) => documentKindOf(contentType, filename) !== undefined,

    async convert({ contentType, filename, size, encoding }, body: Readable, { signal }) {
      try {
        const kind = documentKindOf(contentType, filename)
        if (!kind) throw unsupportedDocument()
        if (size > maxBytes) throw documentTooLarge({ details: { size, max_bytes: maxBytes } })
        const outcome = await conversions.run(signal, () =>
          runProcess({ kind, encoding: encoding ?? undefined, timeoutMs, maxMemoryMb }, body, { maxBytes, signal }),
        )
        if (!('refused' in outcome)) return outcome
        const { refused: reason, message } = outcome
        if (reason === 'no_library') throw unsupportedDocument({ message })
        throw conversionFailed({ message, details: { reason } })
      } finally {
        body.destroy()
      }
    },
  }
}
