import { copyFile } from 'node:fs/promises'
import { build, defineConfig } from 'tsup'
import { asciiChunks } from '../../scripts/ascii-chunks.ts'
import { coreSources } from '../../scripts/entries.ts'
import { copyMessages, messageFolders } from '../../scripts/message-files.ts'

export default defineConfig({
  entry: {
    ...coreSources(process.cwd()),
    eep: 'src/host/eep.ts',
    // Loaded by its name, beside the chunk that starts it.
    'markdown-worker': 'src/http/html/markdown-worker.ts',
    'plain-text-worker': 'src/modules/publishing/text-extraction/plain-text-worker.ts',
    'diff-worker': 'src/modules/publishing/content/diff-worker.ts',
    'manifest-worker': 'src/modules/publishing/archives/manifest-worker.ts',
    'document-process': 'src/adapters/documents/document-process.ts',
    'receipt-pdf-worker': 'src/adapters/receipt-pdf/receipt-pdf-worker.ts',
    'share-card-worker': 'src/adapters/images/share-card-worker.ts',
    'duration-worker': 'src/adapters/file-toolkit/duration-worker.ts',
    'word-vectors-worker': 'src/adapters/word-vectors-worker.ts',
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
  esbuildPlugins: [messageFolders()],
  // Read by their names, beside the chunks that use them.
  async onSuccess() {
    await copyFile('src/modules/people/accounts/common-passwords.txt', 'dist/common-passwords.txt')
    copyMessages()
    await build({
      config: false,
      entry: {
        pages: 'src/browser/pages.js',
        'test-wallet': 'src/browser/test-wallet.js',
        uploads: 'src/browser/uploads.js',
        editor: 'src/browser/editor.js',
        reorder: 'src/browser/reorder.js',
        live: 'src/browser/live.js',
      },
      splitting: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      minify: true,
      silent: true,
    })
  },
})
