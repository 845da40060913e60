import { createRequire } from 'node:module'
import { Busboy } from '@fastify/busboy'
import { create } from 'content-disposition'
import type { FileToolkit, FormEvents } from '../../ports/file-toolkit.ts'
import { createDurationMeter } from './duration-meter.ts'

/**
 * Reads forms, detects the types of files, and measures recordings in worker threads.
 *
 * @throws when `file-type` is not installed
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * files: { toolkit: fileToolkit(), blobStore: directoryBlobs({ directory: 'files' }) }
 */
export function fileToolkit(): FileToolkit {
  // Fails at startup, not with the first upload, when the library is missing.
  createRequire(import.meta.url).resolve('file-type')

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
    contentDisposition: (filename, type) => create(filename, { type }),
    measureDuration: createDurationMeter(),
  }
}
