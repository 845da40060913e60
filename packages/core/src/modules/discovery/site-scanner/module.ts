import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import type { SiteScanToolkit } from '../../../ports/site-scan-toolkit.ts'
import { jobs } from '../../jobs/token.ts'
import type { SiteScannerApi } from './api.ts'
import { siteScannerRoutes } from './routes.ts'
import { createSiteScanner } from './service.ts'

/** Scans of sites for agent readiness. */
export const siteScanner = feature('siteScanner', {}, (_options, { toolkit }: { readonly toolkit: SiteScanToolkit }) =>
  defineModule({
    name: 'site-scanner',
    requires: [jobs],
    stores: ['jobs', 'siteScans'],
    create: ({ write, clock, outbound, publicUrl, report }, { jobs }) => ({
      siteScanner: createSiteScanner({
        write,
        clock,
        jobs,
        publicUrl,
        fetch: outbound,
        toolkit,
        onError: report,
      }),
    }),
    public: { siteScanner: ({ siteScanner }): SiteScannerApi => pick(siteScanner, 'isEnabled', 'request', 'get') },
    routes: siteScannerRoutes,
    workers: ({ siteScanner }) => [siteScanner.pruning],
  }),
)
