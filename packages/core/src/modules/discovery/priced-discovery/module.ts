import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { gates } from '../../access/gates/token.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { discovery } from '../discovery/token.ts'
import { search } from '../search/token.ts'
import { catalogueRoutes } from './catalogue.routes.ts'
import { createCatalogue } from './catalogue.ts'
import { observeCatalogueNotices } from './catalogue-notices.ts'
import { catalogueWorker } from './catalogue-worker.ts'
import { createCollector } from './collect-resources.ts'
import { createLicenseFinder, createListingDescriber } from './describe-listing.ts'
import { guidanceText } from './guidance.ts'
import { licenseRoutes } from './license.routes.ts'
import { pricedDiscoveryMetrics, staleResources } from './metrics.ts'
import { pricedDiscoveryOptions } from './options.ts'
import { registrationRoutes } from './registration.routes.ts'
import { pricedDiscoveryRoutes } from './routes.ts'
import { createPricedDiscovery } from './service.ts'

/** The version of the document, as that of `/docs/openapi.json`. */
const VERSION = 'v1.0'

/** Paid resources for catalogues and buying agents: `/openapi.json`, and what offers and payments say about them. */
export const pricedDiscovery = feature('pricedDiscovery', pricedDiscoveryOptions, (options) =>
  defineModule({
    name: 'priced-discovery',
    requires: [profiles, gates, paywall],
    uses: [discovery, search],
    stores: ['pricedResources', 'followers'],
    metrics: pricedDiscoveryMetrics,
    create(context, { gates, paywall, profiles, discovery: lists, search }) {
      const { read, cache, clock, docsUrl, logger, metrics, publicUrl, report, settings } = context
      const { name, discovery, email, hooks, payments } = settings
      const verifiedOnly = email.mailer !== undefined
      const hasRestrictions = hooks.legalRestriction !== undefined

      /** Whether public lists hold a profile. A service without lists lists nothing. */
      const isListed = ({
        id: profileId,
        visibility,
        ownerAccountId: accountId,
      }: Profile): boolean | Promise<boolean> =>
        lists?.hasSiteIndex === true &&
        visibility === 'public' &&
        cache.get(`priced-discovery listed ${profileId}`, async () => ({
          value: await lists.siteIndex.lists(profileId),
          profileId,
          accountId,
        }))

      paywall.listings.describeBy(
        createListingDescriber({
          publicUrl,
          service: {
            serviceName: options.serviceName ?? name,
            tags: options.tags,
            iconUrl: discovery.rootFiles ? `${publicUrl}/favicon.ico` : undefined,
          },
          isListed,
          gateOf: gates.gateOf,
          hasRestrictions,
        }),
      )
      if (discovery.rsl) {
        paywall.listings.licenseBy(createLicenseFinder({ publicUrl, isListed, gateOf: gates.gateOf, hasRestrictions }))
      }
      observeCatalogueNotices({ rails: payments.rails, metrics, logger, clock })

      const protocols = lazy(() => [...new Set(payments.rails.flatMap(({ info }) => info?.protocol ?? []))])
      const collector = createCollector({
        read,
        paywall,
        profiles,
        isListed,
        verifiedOnly,
        hasRestrictions,
        origin: new URL(publicUrl).origin,
        onError: report,
      })
      const countStale = metrics.counter(staleResources)
      return {
        pricedCollector: collector,
        catalogue: options.catalogue
          ? createCatalogue({
              read,
              clock,
              collector,
              sold: paywall.sold,
              profiles,
              publicUrl,
              search,
              countStale: (count) => countStale({}, count),
              onError: report,
            })
          : undefined,
        pricedDocuments: createPricedDiscovery({
          read,
          clock,
          collector,
          publicUrl,
          verifiedOnly,
          isListed,
          hasCatalogue: options.catalogue,
          signal: discovery.crawlers.contentSignal,
          info: (free) => ({
            title: name,
            version: VERSION,
            contactUrl: options.contact?.url ?? publicUrl,
            categories: options.categories,
            guidance:
              options.guidance ??
              guidanceText({
                name,
                publicUrl,
                docsUrl,
                hasSearch: free.some(({ path }) => path === '/search'),
                hasCatalogue: options.catalogue,
                protocols: protocols(),
              }),
            docs: {
              apiReference: `${publicUrl}/docs`,
              homepage: publicUrl,
              llms: discovery.rootFiles ? `${publicUrl}/llms.txt` : undefined,
            },
          }),
        }),
      }
    },
    routes(app, services, { publicUrl, registered, logger, settings }) {
      if (options.paidOpenapi) pricedDiscoveryRoutes(app, services, { publicUrl, registered, logger })
      if (services.catalogue) catalogueRoutes(app, services.catalogue, logger)
      if (settings.discovery.agentRegistration) registrationRoutes(app, services, { registered, logger })
      if (settings.discovery.rsl && licenseRoutes(app, services, logger)) {
        services.discovery?.licences.announce(async () => (await services.pricedDocuments.license()) !== undefined)
      }
    },
    workers({ catalogue, pricedCollector: collector, paywall, profiles }, context) {
      const { email, hooks } = context.settings
      const verifiedOnly = email.mailer !== undefined
      const hasRestrictions = hooks.legalRestriction !== undefined
      const deps = { collector, sold: paywall.sold, profiles, verifiedOnly, hasRestrictions }
      return catalogue ? [catalogueWorker(context, deps)] : []
    },
  }),
)
