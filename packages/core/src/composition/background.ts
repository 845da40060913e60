import { createPurge } from '../modules/accounts/index.ts'
import { createOfferExpiry } from '../modules/commerce/index.ts'
import { createFileSweeper } from '../modules/files/index.ts'
import { createReconciler } from '../modules/payments/index.ts'
import { createPaidYearTurns } from '../modules/subscriptions/index.ts'
import type { Foundation } from './foundation.ts'
import type { Services } from './services.ts'

/** Something that goes on by itself between these two. */
interface Worker {
  start(): unknown
  stop(): Promise<unknown>
}

/** How often the bytes of files are removed that are gone, unless accounts are removed more often. */
const FILES_SWEPT_MS = 60_000

/** What the service does without being asked: finishing, ending, reminding, removing. */
export function createBackground(foundation: Foundation, services: Services) {
  const { settings, read, write, clock, logger, report, dispatcher, outbox } = foundation
  const { mailer, blobs, purgeEveryMs } = settings
  const { payments, negotiations, subscriptions, jobs, documents, apiKeys } = services

  // At once; should this fail, the sweep does it.
  dispatcher.listen(({ type, accountId }) =>
    type === 'accounts.deletion_scheduled' && accountId !== null
      ? subscriptions.departures.leave(accountId)
      : undefined,
  )

  const workers: readonly (Worker | undefined)[] = [
    createReconciler({ payments, onError: report, everyMs: settings.settlementLeaseMs / 2 }),
    createOfferExpiry({ negotiations, onError: report }),
    createPurge({
      read,
      write,
      clock,
      eraseReceipts: payments.erase,
      reserveNames: services.profiles.reserveNames,
      endSubscriptions: subscriptions.departures.end,
      mailer,
      logger,
      everyMs: purgeEveryMs,
    }),
    subscriptions.sweep,
    createPaidYearTurns({
      read,
      write,
      clock,
      outbox,
      tierFacts: settings.tierFacts,
      delivery: services.yearDelivery,
      service: settings.name,
      link: settings.links.pricing,
      onError: report,
      everyMs: purgeEveryMs,
    }),
    blobs &&
      createFileSweeper({
        read,
        write,
        clock,
        blobs,
        onError: services.onFileTrouble,
        everyMs: Math.min(purgeEveryMs, FILES_SWEPT_MS),
      }),
    apiKeys.uses,
  ]

  return {
    async start() {
      await jobs.start()
      for (const worker of workers) worker?.start()
    },
    /** Waits for what is under way; jobs go back to the queue. */
    async stop() {
      await jobs.stop()
      await documents.stop()
      for (const worker of workers) await worker?.stop()
    },
  }
}
