import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { assertInstalled } from '../kernel/assert-installed.ts'
import type { ArchiveFormat, ArchiveSource, ArchiveWriter } from '../ports/archive-format.ts'

/**
 * Archives as ZIP, with ZIP64 when they need it. They are written and read as streams. The libraries are loaded on demand.
 *
 * @throws MissingPackagesError when a package is not installed
 */
export function zipArchives(): ArchiveFormat {
  assertInstalled('yazl', 'yauzl')
  return { contentType: 'application/zip', extension: 'zip', write: writeZip, entries }
}

function writeZip(): ArchiveWriter {
  const output = new PassThrough()
  const opened = import('yazl').then(({ ZipFile }) => {
    const zip = new ZipFile()
    zip.outputStream.pipe(output)
    zip.on('error', (error: Error) => output.destroy(error))
    return zip
  })
  opened.catch((error: Error) => output.destroy(error))
  return {
    output,
    async add(path, bytes, { modifiedAt, compress }) {
      const zip = await opened
      zip.addReadStream(bytes, path, { mtime: modifiedAt, compress })
      await finished(bytes, { writable: false })
    },
    finish() {
      opened.then(
        (zip) => zip.end(),
        () => {},
      )
    },
  }
}

async function* entries(source: ArchiveSource) {
  const { readZip } = await import('./read-zip.ts')
  yield* readZip(source)
}
