import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { NegotiationsApi } from './api.ts'
import { dealScreen } from './deal.screen.ts'
import { createDealNames } from './deal-names.ts'
import { dealsScreen } from './deals.screen.ts'
import { commerceEvents } from './events.ts'
import { createOfferExpiry } from './expiry.ts'
import { commerceNotifications } from './notifications.ts'
import { commerceRoutes } from './routes.ts'
import { createNegotiationService } from './service.ts'

/** The maximum number of offers in an hour: of one buyer, and of all agents without an account to one seller. */
const OFFERS_PER_HOUR = { ofBuyer: 60, ofAgents: 100 }

/** Negotiations between buyers and profiles that sell. */
export const commerce = feature('commerce', {}, () =>
  defineModule({
    name: 'commerce',
    events: commerceEvents,
    notifications: commerceNotifications,
    requires: [profiles],
    stores: ['negotiations', 'listings'],
    scopes: ['commerce:negotiate'],
    create: ({ read, write, clock, counters, scaled }, { profiles, myProfiles }) => ({
      negotiations: createNegotiationService({
        read,
        write,
        clock,
        profiles,
        myProfiles,
        offerLimit: {
          store: counters,
          ofBuyer: scaled(OFFERS_PER_HOUR.ofBuyer),
          ofAgents: scaled(OFFERS_PER_HOUR.ofAgents),
        },
      }),
    }),
    public: {
      negotiations: ({ negotiations }): NegotiationsApi => pick(negotiations, 'open', 'list', 'get', 'move'),
    },
    routes: commerceRoutes,
    screens({ negotiations }, { read }) {
      const services = { negotiations, dealNames: createDealNames(read) }
      return [dealsScreen(services), dealScreen(services)]
    },
    workers: ({ negotiations }, { report }) => [createOfferExpiry({ negotiations, onError: report })],
  }),
)
