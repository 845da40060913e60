import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defineConfig } from 'tsup'
import { asciiChunks } from '../../scripts/ascii-chunks.ts'

const MAKE_SNAPSHOT = join('src', 'make-pglite-snapshot.ts')

export default defineConfig({
  entry: { index: 'src/index.ts', host: 'src/from-variables.ts', pglite: 'src/pglite.ts', cli: 'src/cli.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: true,
  sourcemap: true,
  clean: true,
  plugins: [asciiChunks()],
  esbuildOptions(options) {
    // As large as the snapshot of the database, and of no use to stack traces.
    options.sourcesContent = false
  },
  async onSuccess() {
    await promisify(execFile)(process.execPath, ['--conditions=@eep/source', MAKE_SNAPSHOT, 'dist'])
  },
})
