import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', host: 'src/from-variables.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: true,
  sourcemap: true,
  clean: true,
})
