import { defineError } from '../../../kernel/errors.ts'

export const siteScannerDisabled = defineError(
  'site_scanner_disabled',
  503,
  'Site scans are not configured on this service',
)
export const siteScanNotFound = defineError('site_scan_not_found', 404, 'Site scan not found')
export const siteScanLimitReached = defineError(
  'site_scan_limit_reached',
  429,
  'An account can scan 20 sites in 24 hours; try again later',
)
export const siteScanRunning = defineError(
  'site_scan_running',
  409,
  'This host is being scanned already; try again in a moment',
)
export const siteUnreachable = defineError(
  'site_unreachable',
  502,
  'The site did not respond within the limits of a scan',
)
export const siteForbidsScan = defineError('site_forbids_scan', 403, 'The robots.txt of the site disallows the scan')
