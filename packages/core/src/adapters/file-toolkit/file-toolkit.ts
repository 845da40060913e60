import { assertInstalled, loadInstalled } from '../../kernel/assert-installed.ts'
import type { FileToolkit, FormEvents } from '../../ports/file-toolkit.ts'
import { createDurationMeter } from './duration-meter.ts'

/**
 * Reads forms, detects the types of files and the encodings of texts, and measures recordings in worker threads.
 *
 * @throws MissingPackagesError when one of its packages is not installed
 */
export function fileToolkit(): FileToolkit {
  assertInstalled('@fastify/busboy', 'chardet', 'content-disposition', 'file-type', 'music-metadata')
  const { Busboy } = loadInstalled<typeof import('@fastify/busboy')>('@fastify/busboy')
  const { create } = loadInstalled<typeof import('content-disposition')>('content-disposition')

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
