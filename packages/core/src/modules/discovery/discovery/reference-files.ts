import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { DocsUi } from '../../../ports/docs-ui.ts'

/** A file of the API reference. */
export interface ReferenceFile {
  readonly type: string
  readonly bytes: Buffer
  readonly brotli: Buffer
}

const compress = promisify(brotliCompress)

/** Makes the function that returns a file of the API reference by its name. Each is read and compressed once. */
export function createReferenceFiles({ files }: DocsUi) {
  const loaded = new Map<string, Promise<ReferenceFile>>()

  return function referenceFile(name: string): Promise<ReferenceFile> | undefined {
    const file = Object.hasOwn(files, name) ? files[name] : undefined
    if (!file) return undefined
    const known = loaded.get(name)
    if (known) return known
    const loading = (async () => {
      const bytes = await file.read()
      const brotli = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
      return { type: file.type, bytes, brotli }
    })()
    loaded.set(name, loading)
    // A failed read is not cached.
    loading.catch(() => loaded.delete(name))
    return loading
  }
}
