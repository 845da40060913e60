import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const MAX_BYTES = 6 * 1_024

it('is at most 6 KB in a bundle for browsers, compressed, and imports nothing of Node', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  })
  const [output] = outputFiles
  expect(brotliCompressSync(output?.contents ?? '').length).toBeLessThanOrEqual(MAX_BYTES)
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('node:'))).toEqual([])
})
