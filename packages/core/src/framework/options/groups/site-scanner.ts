import type { SiteScanToolkit } from '../../../ports/site-scan-toolkit.ts'
import { port } from '../fields.ts'

export const siteScanner = {
  /**
   * Parses files and pages of sites: `siteScanToolkit()` of `@eep/core/site-scanner`. Without it, sites cannot be
   * scanned.
   */
  toolkit: port<SiteScanToolkit>('parseRobots', 'outlineHtml').optional(),
}
