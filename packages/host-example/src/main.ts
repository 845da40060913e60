import { setTimeout as sleep } from 'node:timers/promises'
import { zipArchives } from '@eep/core/archives'
import { vcCredentials } from '@eep/core/credentials'
import { swaggerUi } from '@eep/core/docs-ui'
import { documentConverter, fileToolkit, sharpImages } from '@eep/core/files'
import { passkeyToolkit } from '@eep/core/passkeys'
import { receiptPdf } from '@eep/core/pdf'
import { siteScanToolkit } from '@eep/core/site-scanner'
import { webSockets } from '@eep/core/sockets'
import closeWithGrace from 'close-with-grace'
import { ConfigurationError, readConfig } from './config.ts'
import { configuredBlobs, configuredScanner, configuredTranscriber } from './files.ts'
import { collectGarbage } from './garbage.ts'
import { createListeners } from './listeners.ts'
import { configuredMailer } from './mail.ts'
import { configuredMetrics } from './metrics.ts'
import { configuredBilling, configuredRails, configuredWallets } from './payments.ts'
import { configuredEmbedder } from './search.ts'
import { keptSecret, keptSigningKeys } from './secrets.ts'
import { seedDemo, thingsToTry } from './seed.ts'
import { configuredProviders } from './sign-in.ts'
import { openStorage } from './storage.ts'

/** The time for load balancers to notice that this host is not ready, before it refuses connections. */
const NOT_READY_MS = 1_500
/** Unfinished work continues after the next start. */
const STOPPED_WITHIN_MS = 9_000
/** Ctrl-C arrives more than once: from the terminal and from what started this process. */
const SAME_SIGNAL_MS = 1_000

async function main() {
  const { values, production, warnings } = readConfig(process.env)
  for (const warning of warnings) console.error(`warning: ${warning}`)

  const { EEP_DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = values
  const secret = values.EEP_SECRET ?? (await keptSecret(dataDir))
  const rails = await configuredRails(values, secret)
  const providers = configuredProviders(values)
  const { storage, close } = await openStorage(databaseUrl, dataDir)
  try {
    const listeners = await createListeners(values, {
      storage,
      rateLimits: databaseUrl === undefined ? undefined : storage.rateLimits(),
      passkeys: { toolkit: passkeyToolkit() },
      auth: { oauthProviders: providers, walletVerifier: await configuredWallets(values) },
      payments: { rails, billing: await configuredBilling(values), receiptPdf: receiptPdf() },
      archives: { format: zipArchives() },
      siteScanner: { toolkit: siteScanToolkit() },
      gates: { credentials: vcCredentials() },
      discovery: { docsUi: swaggerUi() },
      sockets: { server: webSockets() },
      search: { index: storage.search(), embedder: configuredEmbedder(values) },
      files: {
        toolkit: fileToolkit(),
        blobStore: await configuredBlobs(values, dataDir),
        converter: documentConverter(),
        transcriber: configuredTranscriber(values),
        imageProcessor: sharpImages(),
        scanner: configuredScanner(values),
      },
      metrics: await configuredMetrics(values),
      email: { mailer: configuredMailer(values, dataDir) },
      secret,
      signingKeys: values.EEP_SIGNING_KEY ?? (await keptSigningKeys(dataDir)),
    })
    const showsDemo = databaseUrl === undefined && !production
    if (showsDemo) await seedDemo(listeners.eep, storage)
    collectGarbage()
    const lines = await listeners.listen()

    stopOnSignal(async () => {
      listeners.eep.drain()
      if (production) await sleep(NOT_READY_MS)
      await listeners.close()
      await close()
    })
    for (const line of lines) console.log(line)
    const hints = showsDemo ? await thingsToTry(listeners.eep, listeners.url, rails.length > 0) : undefined
    if (hints) console.error(hints)
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Stops at the first signal, immediately at a second one, and after an uncaught error. */
function stopOnSignal(stop: () => Promise<void>) {
  const grace = closeWithGrace(
    { delay: STOPPED_WITHIN_MS, skip: ['SIGTERM', 'SIGINT'], onTimeout: () => process.exit(0) },
    async ({ err }) => {
      if (err) console.error(err)
      await stop()
    },
  )
  let firstAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) grace.close()
      else if (Date.now() - firstAt > SAME_SIGNAL_MS) process.exit(1)
      firstAt ??= Date.now()
    })
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error)
  process.exit(1)
}
