import { siteScanToolkit } from '../adapters/site-scan-toolkit.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { SiteScannerApi } from '../modules/discovery/site-scanner/api.ts'
import { siteScanner as create } from '../modules/discovery/site-scanner/module.ts'

declare module '@eep/core' {
  interface EepServices {
    readonly siteScanner: SiteScannerApi
  }
}

/**
 * Scans of sites for agent readiness.
 *
 * @throws Error with the command that installs the missing packages
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/site-scanner.md
 * @example
 * await app.register(eep, { ...options, modules: [siteScanner()] })
 */
export const siteScanner = (): Module => create(undefined, { toolkit: siteScanToolkit() })
