import { defineConfig } from 'tsup'
import { asciiChunks } from '../../scripts/ascii-chunks.ts'

export default defineConfig({
  entry: { index: 'src/index.ts', pglite: 'src/pglite.ts', cli: 'src/cli.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: true,
  sourcemap: true,
  clean: true,
  plugins: [asciiChunks()],
})
