import { build, defineConfig } from 'tsup'
import { asciiChunks } from '../../scripts/ascii-chunks.ts'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    module: 'src/module.ts',
    files: 'src/files.ts',
    embeddings: 'src/embeddings.ts',
    pdf: 'src/pdf.ts',
    email: 'src/email.ts',
    oauth: 'src/oauth.ts',
    credentials: 'src/credentials.ts',
    sockets: 'src/sockets.ts',
    archives: 'src/archives.ts',
    'site-scanner': 'src/site-scanner.ts',
    passkeys: 'src/passkeys.ts',
    metrics: 'src/metrics.ts',
    tracing: 'src/tracing.ts',
    'ports/index': 'src/ports/index.ts',
    'testing/index': 'src/testing/index.ts',
    // Loaded by its name, beside the chunk that starts it.
    'markdown-worker': 'src/http/html/markdown-worker.ts',
    'plain-text-worker': 'src/modules/text-extraction/plain-text-worker.ts',
    'diff-worker': 'src/modules/content/diff-worker.ts',
    'manifest-worker': 'src/modules/archives/manifest-worker.ts',
    'document-process': 'src/defaults/documents/document-process.ts',
    'receipt-pdf-worker': 'src/defaults/receipt-pdf/receipt-pdf-worker.ts',
    'duration-worker': 'src/defaults/file-toolkit/duration-worker.ts',
    'word-vectors-worker': 'src/defaults/word-vectors-worker.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: true,
  sourcemap: true,
  // Maps name files and lines. With the sources in them they would be a quarter of the package.
  esbuildOptions(options) {
    options.sourcesContent = false
  },
  clean: true,
  plugins: [asciiChunks()],
  // Read by its name, beside the chunk that serves it to browsers.
  onSuccess: () =>
    build({
      config: false,
      entry: { pages: 'src/browser/pages.js' },
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      minify: true,
      silent: true,
    }),
})
