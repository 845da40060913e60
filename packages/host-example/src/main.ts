import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '@eep/core/ports'
import closeWithGrace from 'close-with-grace'
import { checkBucket } from './check-files.ts'
import { ConfigurationError, readConfig } from './config.ts'
import { createListeners } from './listeners.ts'
import { seedDemo, thingsToTry } from './seed.ts'
import { configuredParts, serviceOptions } from './service.ts'
import { openStorage } from './storage.ts'

/** In production, the default time for load balancers to notice that this host is not ready, before it refuses connections. */
const DRAIN_SECONDS = 3
/** From the end of that time. Unfinished work continues after the next start. */
const STOPPED_WITHIN_MS = 7_000
/** Ctrl-C arrives more than once: from the terminal and from what started this process. */
const SAME_SIGNAL_MS = 1_000

async function main() {
  const { values, production, warnings } = readConfig(process.env)
  for (const warning of warnings) console.error(`warning: ${warning}`)

  const { EEP_DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = values
  const drainMs = 1_000 * (values.EEP_DRAIN_SECONDS ?? (production ? DRAIN_SECONDS : 0))
  const configured = await configuredParts(values, dataDir)
  const { storage, close } = await openStorage(values, dataDir)
  let stopListening: (() => Promise<void>) | undefined
  try {
    const listeners = await createListeners(values, (publicUrl) => serviceOptions(configured, { storage, publicUrl }))
    stopListening = listeners.close
    const showsDemo = databaseUrl === undefined && !production
    if (showsDemo) await seedDemo(listeners.eep, storage)
    // It does not stop the start: a bucket that is unavailable for a moment must not keep an instance from serving pages.
    if (production && values.S3_BUCKET !== undefined) void warnOfBucket(configured.blobStore)
    const lines = await listeners.listen()

    stopOnSignal(drainMs + STOPPED_WITHIN_MS, async () => {
      listeners.eep.drain()
      await sleep(drainMs)
      // Takes the connections that are waiting: they would be reset.
      await nextTurn()
      await listeners.close()
      await close()
    })
    for (const line of lines) console.log(line)
    const hints = showsDemo ? await thingsToTry(listeners.eep, listeners.url, configured.rails.length > 0) : undefined
    if (hints) console.error(hints)
  } catch (error) {
    // Background work is running, and needs the storage until it has ended.
    await stopListening?.().catch(() => {})
    await close().catch(() => {})
    throw error
  }
}

/** Warns when the bucket is missing or the key may not use it. */
async function warnOfBucket(blobStore: BlobStore): Promise<void> {
  const { status, detail, fix } = await checkBucket(() => blobStore)
  if (status === 'failed') console.error(`warning: the bucket S3_BUCKET cannot be used: ${detail}. ${fix}`)
}

/** Stops at the first signal, immediately at a second one, and after an uncaught error. */
function stopOnSignal(withinMs: number, stop: () => Promise<void>) {
  const grace = closeWithGrace(
    { delay: withinMs, skip: ['SIGTERM', 'SIGINT'], onTimeout: () => process.exit(0) },
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
