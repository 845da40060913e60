import { defineModule } from '../../../framework/module/define-module.ts'
import { RATE_WINDOW_MS } from '../../../http/pipeline/rate-limit.ts'
import { pick } from '../../../kernel/pick.ts'
import { PLANS } from '../../../model/plan.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { paywall } from '../../access/paywall/token.ts'
import { signals } from '../../events/signals/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { accessTo, contentPath } from '../../publishing/content/index.ts'
import { content } from '../../publishing/content/token.ts'
import { profilePages } from '../../publishing/profile-documents/token.ts'
import { smartSections } from '../../publishing/smart-sections/token.ts'
import type { DiscoveryApi } from './api.ts'
import { createRootFiles } from './root-files.ts'
import { discoveryRoutes } from './routes.ts'
import { createDiscoveryService } from './service.ts'

/** Manifests, sitemaps, llms.txt and agent cards. */
export const discovery = defineModule({
  name: 'discovery',
  requires: [profiles, paywall, profilePages, content],
  uses: [signals, smartSections],
  optionalStores: ['siteIndex'],
  create: (
    { read, clock, caches, docsUrl, keyring, limits, scaled, settings, moneyKind },
    { signals, smartSections, paywall },
  ) => ({
    rootFiles: createRootFiles(),
    discovery: createDiscoveryService({
      settings: {
        name: settings.name,
        description: settings.description,
        publicUrl: settings.publicUrl,
        sessionCookie: settings.http.cookies.names.session,
        rails: settings.payments.rails,
        isSandbox: moneyKind === 'sandbox',
        crawlers: settings.discovery.crawlers,
        eventTypes: signals?.types() ?? [],
        dpv: { purpose: settings.discovery.dpvPurpose, retention: settings.discovery.dpvRetention },
        registry: settings.discovery.registry,
      },
      read: {
        get siteIndex() {
          return requireGroup(read, 'siteIndex').siteIndex
        },
      },
      sectionsOf: smartSections?.listOfProfiles,
      hasSiteIndex: read.siteIndex !== undefined,
      verifiedOnly: settings.email.mailer !== undefined,
      clock,
      cache: caches.lists,
      content: { accessTo, contentPath },
      docsUrl,
      sold: () => paywall.sold.list(),
      keyring,
      rates: {
        windowSeconds: RATE_WINDOW_MS / 1000,
        groups: limits,
        keys: Object.fromEntries(PLANS.map((plan) => [plan, scaled(settings.planLimits(plan).apiRequestsPerMinute)])),
      },
    }),
  }),
  public: {
    discovery: ({ discovery: { siteIndex } }): DiscoveryApi => ({
      siteIndex: pick(siteIndex, 'sitemap', 'sitemapPart', 'llms', 'llmsFull'),
    }),
  },
  routes(app, services, { settings, registered, openApi }) {
    const { rootFiles, skills, aiCatalog, docsUi } = settings.discovery
    const { robotsTxt } = discoveryRoutes(app, services, { rootFiles, skills, aiCatalog, docsUi, openApi, registered })
    services.rootFiles.register(robotsTxt)
  },
})
