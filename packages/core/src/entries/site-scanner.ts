/** Scans of sites, for hosts that have `robots-parser` and `htmlparser2` installed. */

export { siteScanToolkit } from '../adapters/site-scan-toolkit.ts'
