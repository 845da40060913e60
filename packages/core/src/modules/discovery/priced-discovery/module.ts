import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { gates } from '../../access/gates/token.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { discovery } from '../discovery/token.ts'
import { observeCatalogueNotices } from './catalogue-notices.ts'
import { createListingDescriber } from './describe-listing.ts'
import { pricedDiscoveryMetrics } from './metrics.ts'
import { pricedDiscoveryOptions } from './options.ts'

/** Paid resources for catalogues and buying agents: what offers and payments say about them. */
export const pricedDiscovery = feature('pricedDiscovery', pricedDiscoveryOptions, (options) =>
  defineModule({
    name: 'priced-discovery',
    requires: [profiles, gates, paywall],
    uses: [discovery],
    metrics: pricedDiscoveryMetrics,
    create({ cache, clock, logger, metrics, publicUrl, settings }, { gates, paywall, discovery: lists }) {
      const { name, discovery, hooks, payments } = settings

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
          hasRestrictions: hooks.legalRestriction !== undefined,
        }),
      )
      observeCatalogueNotices({ rails: payments.rails, metrics, logger, clock })
      return {}
    },
  }),
)
