import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { MoneyKindError } from '../framework/composition/money-kind.ts'
import { assertInstalled, MissingPackagesError } from '../kernel/assert-installed.ts'
import { checkBlobs } from './check-blobs.ts'
import { ConfigurationError } from './configuration-error.ts'
import { shownVariables } from './host-adapter.ts'
import type { HostDefinition } from './host-definition.ts'
import { createListeners } from './listeners.ts'
import { databaseOf, type MadeParts } from './make-parts.ts'
import { readConfig } from './read-config.ts'
import { configureService, serviceOptions, withSandbox } from './service-options.ts'
import { startLines } from './start-lines.ts'

/** In production, the default time for load balancers to notice that this host is not ready, before it refuses connections. */
const DRAIN_SECONDS = 3
/** From the end of that time. Unfinished work continues after the next start. */
const STOPPED_WITHIN_MS = 7_000
/** Ctrl-C arrives more than once: from the terminal and from what started this process. */
const SAME_SIGNAL_MS = 1_000

const NO_SANDBOX = 'This host is a sandbox; set EEP_SANDBOX to off to start without one.'

/**
 * Runs a host as this process: reads the variables, opens the database, listens, and stops on a signal. Prints `listening on …` to
 * standard output once it is ready, and after it what can be tried; what prevents the start goes to standard error.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await runHost({ adapters: [postgres, s3, x402, card], modules: () => everything() })
 */
export async function runHost(host: HostDefinition): Promise<void> {
  try {
    await start(host)
  } catch (error) {
    const isForOperator = [ConfigurationError, MissingPackagesError, MoneyKindError].some(
      (kind) => error instanceof kind,
    )
    console.error(isForOperator ? (error as Error).message : error)
    process.exit(1)
  }
}

async function start(host: HostDefinition) {
  assertInstalled('pino', 'close-with-grace', 'nodemailer')
  const configuration = readConfig(host, process.env)
  const { service: values, production, warnings } = configuration
  for (const warning of warnings) console.error(`warning: ${warning}`)

  const drainMs = 1_000 * (values.EEP_DRAIN_SECONDS ?? (production ? DRAIN_SECONDS : 0))
  const configured = await configureService(host, configuration)
  const database = databaseOf(host, configuration)
  const { storage, close } = await database.open('migrated')
  let stopListening: (() => Promise<void>) | undefined
  try {
    const service = await withSandbox(configured, storage)
    const index = storage.search()
    // Several instances share a server, so they share the counts too.
    const rateLimits = database.isEmbedded ? undefined : storage.rateLimits()
    const listeners = await createListeners(host, values, service.parts.metrics, (publicUrl) =>
      serviceOptions(service, { storage, publicUrl, index, rateLimits }),
    )
    stopListening = listeners.close
    const demo = database.isEmbedded && !production ? host.demo : undefined
    await demo?.seed(listeners.eep, storage, listeners.fetch)
    // It does not stop the start: a store that is unavailable for a moment must not keep an instance from serving pages.
    if (production) void warnOfBlobs(service.parts)
    const lines = await listeners.listen()

    await stopOnSignal(drainMs + STOPPED_WITHIN_MS, async () => {
      listeners.eep.drain()
      await sleep(drainMs)
      // Takes the connections that are waiting: they would be reset.
      await nextTurn()
      await listeners.close()
      await close()
    })
    for (const line of lines) console.log(line)
    const hints = await demo?.hints(listeners.eep, listeners.url, (service.parts.rails ?? []).length > 0)
    if (service.sandbox) {
      const publicUrl = values.EEP_BASE_URL ?? listeners.url
      const page = hints === undefined ? undefined : demo?.page
      const { key } = service.sandbox
      for (const line of startLines({ publicUrl, key, page, hasMailbox: configuration.values.SMTP_URL === undefined }))
        console.log(line)
    }
    if (hints) console.log(hints)
  } catch (error) {
    // Background work is running, and needs the storage until it has ended.
    await stopListening?.().catch(() => {})
    await close().catch(() => {})
    if (error instanceof MoneyKindError && configuration.isSandbox) console.error(NO_SANDBOX)
    throw error
  }
}

/** Warns when the store of files cannot be used, for example because the bucket is missing. */
async function warnOfBlobs({ blobStore, blobsOf }: MadeParts): Promise<void> {
  if (!blobsOf) return
  const variables = shownVariables(blobsOf)
  const { status, detail, fix } = await checkBlobs(
    blobStore,
    `Check the variables ${variables} and the rights of the key`,
  )
  if (status === 'failed') console.error(`warning: the store of ${variables} cannot be used: ${detail}. ${fix}`)
}

/** Stops at the first signal, immediately at a second one, and after an uncaught error. */
async function stopOnSignal(withinMs: number, stop: () => Promise<void>): Promise<void> {
  const { default: closeWithGrace } = await import('close-with-grace')
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
