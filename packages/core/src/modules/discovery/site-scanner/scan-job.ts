import { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import { asJson, type JsonObject } from '../../../kernel/json.ts'
import type { JobKind } from '../../../ports/job-kind.ts'
import type { SiteScanToolkit } from '../../../ports/site-scan-toolkit.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { siteScanRunning } from './errors.ts'
import { SITE_RULES } from './rules/index.ts'
import { SCAN_LIMITS } from './scan-limits.ts'
import { scanSite } from './scan-site.ts'

export interface ScanJobDeps extends Pick<GuardedStorage<'siteScans'>, 'write'> {
  readonly clock: Clock
  readonly fetch: GuardedFetch
  readonly toolkit: SiteScanToolkit
  readonly publicUrl: string
  readonly onError: (error: unknown) => void
}

export const SITE_SCAN = 'site_scan'

/** The limit of one run. A scan itself takes 10 seconds at most. */
const TIMEOUT_MS = 60_000
const ATTEMPTS = 1
/** How often the progress is stored. */
const STEP = 25

export const scanInput = z.object({ url: z.string() })

/** The job that scans a site. Its result is the report. It holds the host until it ends. */
export const scanKind = ({ write, clock, fetch, toolkit, publicUrl, onError }: ScanJobDeps): JobKind => ({
  name: SITE_SCAN,
  timeoutMs: TIMEOUT_MS,
  attempts: ATTEMPTS,

  async run({ job, signal, progress }): Promise<JsonObject> {
    const { url } = scanInput.parse(job.input)
    const startedAt = clock()
    const until = new Date(startedAt.getTime() + TIMEOUT_MS)
    if (!(await write((tx) => tx.siteScans.hold(job.id, startedAt, until)))) throw siteScanRunning()
    const report = await scanSite(new URL(url), {
      fetch,
      toolkit,
      publicUrl,
      signal,
      rules: SITE_RULES,
      limits: SCAN_LIMITS,
      onError,
      onProgress: (share) => void progress(Math.floor((share * 100) / STEP) * STEP),
    })
    return asJson({ url, ...report, scanned_at: startedAt.toISOString() })
  },

  async ended(job, tx) {
    await tx.siteScans?.release(job.id)
  },
})
