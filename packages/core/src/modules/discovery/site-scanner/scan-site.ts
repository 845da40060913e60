import type { SiteScanToolkit } from '../../../ports/site-scan-toolkit.ts'
import type { GuardedFetch } from '../../../runtime/outbound/index.ts'
import { siteForbidsScan, siteUnreachable } from './errors.ts'
import { checkOf, type Finding, type SiteCheck, type SiteRule, skip } from './rule.ts'
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
  /** Called with errors of rules, which are faults of the scanner. */
  readonly onError: (error: unknown) => void
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
const decodeText = ({ status, body }: SiteAnswer): string =>
  status >= 200 && status < 300 ? body.slice(0, MAX_ROBOTS) : ''

/**
 * Scans a site: reads its `robots.txt`, then checks all rules with the requests that it allows.
 *
 * @throws `site_unreachable` when the site does not respond, `site_forbids_scan` when `robots.txt` forbids its URL, or cannot be
 * read because of an error of the server
 */
export async function scanSite(url: URL, options: ScanOptions): Promise<SiteReport> {
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal, AbortSignal.timeout(options.limits.timeoutMs)])
  try {
    return await scanWithin(signal, url, options)
  } finally {
    // Requests that a failed rule left would go on while another scan of the host may start.
    ended.abort()
  }
}

async function scanWithin(signal: AbortSignal, url: URL, options: ScanOptions): Promise<SiteReport> {
  const { fetch, toolkit, rules, limits, publicUrl, onProgress, onError } = options
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
    throw siteForbidsScan({ message: `robots.txt returns ${robots.status}, which disallows all requests (RFC 9309)` })
  }
  const robotsRules = toolkit.parseRobots(new URL('/robots.txt', url).href, decodeText(robots))
  isAllowed = (address) => robotsRules.isAllowed(address.href, SCANNER_AGENT)
  if (!isAllowed(url)) throw siteForbidsScan()

  const site: Site = { url, robots, robotsRules, get: client.get, post: client.post, outlineHtml: toolkit.outlineHtml }
  // Rules ask for it first, and without it there is nothing to check.
  const page = await site.get(url.href, { accept: 'text/html' })
  options.signal.throwIfAborted()
  if (page.is !== 'answer') throw siteUnreachable({ message: `The page cannot be scanned: ${page.reason}` })

  const find = async (rule: SiteRule): Promise<Finding> => {
    try {
      return await rule.check(site)
    } catch (error) {
      onError(error)
      return skip('The scanner failed at this check.')
    }
  }
  let done = 0
  const checks = await Promise.all(
    rules.map(async (rule) => {
      const check = checkOf(rule, await find(rule))
      done += 1
      onProgress(done / rules.length)
      return check
    }),
  )
  options.signal.throwIfAborted()
  const score = scoreOf(checks, rules)
  return { score, grade: gradeOf(score), level: levelOf(checks), checks }
}
