import { Busboy } from '@fastify/busboy'
import { create } from 'content-disposition'
import { fileTypeFromBuffer } from 'file-type'
import type { FileToolkit, FormEvents } from '../../ports/file-toolkit.ts'
import { createDurationMeter } from './duration-meter.ts'

/**
 * Reads forms, detects the types of files, and measures recordings in worker threads.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/files.md
 * @example
 * files: { toolkit: fileToolkit(), blobStore: directoryBlobs({ directory: 'files' }) }
 */
export const fileToolkit = (): FileToolkit => ({
  createFormParser({ headers, isFile, limits }) {
    const stream = new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      isPartAFile: (name, _type, filename) => isFile(name ?? '', filename),
      limits,
    })
    return { stream, events: stream as FormEvents }
  },
  detectType: async (sample) => (await fileTypeFromBuffer(sample))?.mime,
  contentDisposition: (filename, type) => create(filename, { type }),
  measureDuration: createDurationMeter(),
})
