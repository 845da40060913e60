import type { GuardedFetch } from '../../outbound/index.ts'
import type { SiteScanToolkit } from '../../ports/site-scan-toolkit.ts'
import { siteForbidsScan, siteUnreachable } from './errors.ts'
import { checkOf, type SiteCheck, type SiteRule } from './rule.ts'
import { SCANNER_AGENT, type ScanLimits } from './scan-limits.ts'
import { type EepLevel, type Grade, gradeOf, levelOf, scoreOf } from './score.ts'
import type { Site, SiteAnswer } from './site.ts'
import { createSiteClient } from './site-client.ts'

export interface ScanOptions {
  readonly fetch: GuardedFetch
  readonly toolkit: SiteScanToolkit
  readonly rules: readonly SiteRule[]
  readonly limits: ScanLimits
  /** The public URL of this service, for the `User-Agent`. */
  readonly publicUrl: string
  /** Ends the scan with its job. */
  readonly signal: AbortSignal
  /** Called after each rule with the share that is done, from 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** The outcome of a scan. */
export interface SiteReport {
  readonly score: number
  readonly grade: Grade
  readonly level: EepLevel
  readonly checks: readonly SiteCheck[]
}

/** The part of a `robots.txt` that is read (RFC 9309, 2.5). */
const MAX_ROBOTS = 512 * 1024

/** A file that does not exist allows everything (RFC 9309, 2.3.1.3). */
const textOf = ({ status, body }: SiteAnswer): string =>
  status >= 200 && status < 300 ? body.slice(0, MAX_ROBOTS) : ''

/**
 * Scans a site: reads its `robots.txt`, then checks all rules with the requests that it allows.
 *
 * @throws `site_unreachable` when the site does not answer, `site_forbids_scan` when `robots.txt` forbids its URL, or cannot be
 * read because of an error of the server
 */
export async function scanSite(url: URL, options: ScanOptions): Promise<SiteReport> {
  const { fetch, toolkit, rules, limits, publicUrl, onProgress } = options
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(limits.timeoutMs)])
  const userAgent = `${SCANNER_AGENT}/1.0 (+${publicUrl}/scanner/rules)`
  let isAllowed = (_url: URL) => true
  const client = createSiteClient({
    fetch,
    limits,
    signal,
    userAgent,
    origin: url.origin,
    isAllowed: (address) => isAllowed(address),
  })

  const robots = await client.get('/robots.txt')
  options.signal.throwIfAborted()
  if (robots.is !== 'answer') throw siteUnreachable({ message: `The site cannot be scanned: ${robots.reason}` })
  if (robots.status >= 500) {
    throw siteForbidsScan({ message: `robots.txt answers ${robots.status}, which forbids all requests (RFC 9309)` })
  }
  const robotsRules = toolkit.parseRobots(new URL('/robots.txt', url).href, textOf(robots))
  isAllowed = (address) => robotsRules.isAllowed(address.href, SCANNER_AGENT)
  if (!isAllowed(url)) throw siteForbidsScan()

  const site: Site = { url, robots, robotsRules, get: client.get, outlineHtml: toolkit.outlineHtml }
  // Rules ask for it first, and without it there is nothing to check.
  const page = await site.get(url.href, { accept: 'text/html' })
  options.signal.throwIfAborted()
  if (page.is !== 'answer') throw siteUnreachable({ message: `The page cannot be scanned: ${page.reason}` })

  let done = 0
  const checks = await Promise.all(
    rules.map(async (rule) => {
      const check = checkOf(rule, await rule.check(site))
      done += 1
      onProgress(done / rules.length)
      return check
    }),
  )
  options.signal.throwIfAborted()
  const score = scoreOf(checks, rules)
  return { score, grade: gradeOf(score), level: levelOf(checks), checks }
}
