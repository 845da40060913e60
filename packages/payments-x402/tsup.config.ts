import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', host: 'src/from-variables.ts', 'testing/index': 'src/testing/index.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: true,
  sourcemap: true,
  clean: true,
})
