import type { Caller } from '../../../model/caller.ts'
import type { Job } from '../../../ports/storage/jobs.ts'

/** The methods of `app.eep.siteScanner`. */
export interface SiteScannerApi {
  /**
   * Returns a scan to anyone who knows its id, which is random.
   *
   * @throws `site_scan_not_found`, `site_scanner_disabled`
   */
  get(id: string): Promise<Job>
  /**
   * Requests the scan of a site in the background. Of concurrent requests for a host, one is accepted.
   *
   * @throws `site_scanner_disabled`, `address_refused`, `site_scan_running`, `site_scan_limit_reached`, `too_many_jobs`
   */
  request(address: string, caller: Caller): Promise<Job>
  /** Whether the storage has a queue. */
  readonly isEnabled: boolean
}
