import { copyFile } from 'node:fs/promises'
import { build, defineConfig } from 'tsup'
import { asciiChunks } from '../../scripts/ascii-chunks.ts'
import { copyMessages, messageFolders } from '../../scripts/message-files.ts'

export default defineConfig({
  entry: {
    index: 'src/entries/index.ts',
    module: 'src/entries/module.ts',
    files: 'src/entries/files.ts',
    embeddings: 'src/entries/embeddings.ts',
    pdf: 'src/entries/pdf.ts',
    email: 'src/entries/email.ts',
    oauth: 'src/entries/oauth.ts',
    credentials: 'src/entries/credentials.ts',
    sockets: 'src/entries/sockets.ts',
    archives: 'src/entries/archives.ts',
    'site-scanner': 'src/entries/site-scanner.ts',
    passkeys: 'src/entries/passkeys.ts',
    metrics: 'src/entries/metrics.ts',
    tracing: 'src/entries/tracing.ts',
    'agent-access': 'src/entries/agent-access.ts',
    subscriptions: 'src/entries/subscriptions.ts',
    'files/media': 'src/entries/files/media.ts',
    'files/text': 'src/entries/files/text.ts',
    feed: 'src/entries/feed.ts',
    reactions: 'src/entries/reactions.ts',
    'smart-sections': 'src/entries/smart-sections.ts',
    listings: 'src/entries/listings.ts',
    commerce: 'src/entries/commerce.ts',
    messages: 'src/entries/messages.ts',
    signals: 'src/entries/signals.ts',
    webhooks: 'src/entries/webhooks.ts',
    'audit-log': 'src/entries/audit-log.ts',
    notifications: 'src/entries/notifications.ts',
    search: 'src/entries/search.ts',
    analytics: 'src/entries/analytics.ts',
    insights: 'src/entries/insights.ts',
    memory: 'src/entries/memory.ts',
    workspaces: 'src/entries/workspaces.ts',
    admin: 'src/entries/admin.ts',
    usage: 'src/entries/usage.ts',
    reports: 'src/entries/reports.ts',
    everything: 'src/entries/everything.ts',
    ports: 'src/entries/ports.ts',
    testing: 'src/entries/testing.ts',
    host: 'src/entries/host.ts',
    eep: 'src/host/eep.ts',
    // Loaded by its name, beside the chunk that starts it.
    'markdown-worker': 'src/http/html/markdown-worker.ts',
    'plain-text-worker': 'src/modules/publishing/text-extraction/plain-text-worker.ts',
    'diff-worker': 'src/modules/publishing/content/diff-worker.ts',
    'manifest-worker': 'src/modules/publishing/archives/manifest-worker.ts',
    'document-process': 'src/adapters/documents/document-process.ts',
    'receipt-pdf-worker': 'src/adapters/receipt-pdf/receipt-pdf-worker.ts',
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
      entry: { pages: 'src/browser/pages.js' },
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      minify: true,
      silent: true,
    })
  },
})
