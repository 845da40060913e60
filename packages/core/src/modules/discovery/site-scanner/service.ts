import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { SiteScanToolkit } from '../../../ports/site-scan-toolkit.ts'
import type { Job } from '../../../ports/storage/jobs.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timedPurge } from '../../../runtime/consumers/timed.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { JobService } from '../../jobs/index.ts'
import { siteScanLimitReached, siteScanNotFound, siteScannerDisabled, siteScanRunning } from './errors.ts'
import { SITE_SCAN, scanKind } from './scan-job.ts'

export interface SiteScannerDeps extends Pick<GuardedStorage<'jobs' | 'siteScans'>, 'write'> {
  readonly clock: Clock
  readonly jobs: JobService
  readonly fetch: GuardedFetch
  readonly toolkit: SiteScanToolkit
  readonly publicUrl: string
  readonly onError: (error: unknown) => void
}

/** How many scans an account may request in 24 hours. */
const SCANS_A_DAY = 20
/** How long a scan that waits in the queue holds its host. */
const QUEUED_MS = 10 * 60_000
/** When a scan of a busy host is worth another try: a running scan has ended by then. */
const BUSY_MS = 10_000
const PRUNED_MS = 3_600_000
const PRUNED_FIRST_MS = 2_000
const PRUNED_AT_ONCE = 500

const msUntil = (until: Date, now: Date) => Math.max(1, until.getTime() - now.getTime())

export function createSiteScanner(deps: SiteScannerDeps) {
  const { write, clock, jobs, fetch, toolkit, publicUrl, onError } = deps
  const { isEnabled } = jobs
  if (isEnabled) jobs.define(scanKind({ write, clock, fetch, toolkit, publicUrl, onError }))

  /** Deletes scans that no longer count against a limit. Their reports are deleted with their jobs. */
  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(clock().getTime() - DAY_MS)
    await inBatches(() => write((tx) => tx.siteScans.deleteOld(before, PRUNED_AT_ONCE)), signal, PRUNED_AT_ONCE)
  }
  const pruning: Worker = timedPurge(prune, { everyMs: PRUNED_MS, firstMs: PRUNED_FIRST_MS, jitter: 0.25, onError })

  return {
    isEnabled,
    pruning,

    async request(address: string, { account: { id: accountId }, profileId }: Caller): Promise<Job> {
      if (!isEnabled) throw siteScannerDisabled()
      fetch.check(address)
      const url = new URL(address)
      url.hash = ''
      await jobs.assertRoom(accountId)
      return write(async (tx) => {
        const job = await jobs.add(tx, {
          kind: SITE_SCAN,
          accountId,
          profileId: profileId ?? null,
          input: { url: url.href },
        })
        const now = clock()
        // A name that ends in a dot is the same host.
        const host = url.hostname.replace(/\.$/, '')
        const found = await tx.siteScans.accept(
          { id: job.id, accountId, host, requestedAt: now },
          {
            since: new Date(now.getTime() - DAY_MS),
            limit: SCANS_A_DAY,
            heldUntil: new Date(now.getTime() + QUEUED_MS),
          },
        )
        // These errors also roll the job back.
        if (!found) throw notFound()
        if (found.outcome === 'limit_reached') {
          const again = new Date(found.oldestAt.getTime() + DAY_MS)
          throw siteScanLimitReached({ retryAfterMs: msUntil(again, now) })
        }
        if (found.outcome === 'host_held') {
          throw siteScanRunning({ retryAfterMs: BUSY_MS })
        }
        return job
      })
    },

    async get(id: string): Promise<Job> {
      if (!isEnabled) throw siteScannerDisabled()
      const job = await jobs.getOfKind(SITE_SCAN, id)
      if (!job) throw siteScanNotFound()
      return job
    },
  }
}

/** Scans of sites for agent readiness. */
export type SiteScanner = ReturnType<typeof createSiteScanner>
