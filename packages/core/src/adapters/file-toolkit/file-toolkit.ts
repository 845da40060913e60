import { Busboy } from '@fastify/busboy'
import { create } from 'content-disposition'
import { assertInstalled } from '../../kernel/assert-installed.ts'
import type { FileToolkit, FormEvents } from '../../ports/file-toolkit.ts'
import { createDurationMeter } from './duration-meter.ts'

/**
 * Reads forms, detects the types of files and the encodings of texts, and measures recordings in worker threads.
 *
 * @throws when `chardet`, `file-type` or `music-metadata` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * files: { toolkit: fileToolkit(), blobStore: directoryBlobs({ directory: 'files' }) }
 */
export function fileToolkit(): FileToolkit {
  assertInstalled('chardet', 'file-type', 'music-metadata')

  return {
    createFormParser({ headers, isFile, limits }) {
      const stream = new Busboy({
        headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
        isPartAFile: (name, _type, filename) => isFile(name ?? '', filename),
        limits,
      })
      return { stream, events: stream as FormEvents }
    },
    async detectType(sample) {
      const { fileTypeFromBuffer } = await import('file-type')
      return (await fileTypeFromBuffer(sample))?.mime
    },
    async detectEncodings(sample) {
      const { analyse } = await import('chardet')
      return analyse(sample)
    },
    contentDisposition: (filename, type) => create(filename, { type }),
    measureDuration: createDurationMeter(),
  }
}
