import { defineCoreModule } from '../../module/define-module.ts'
import { commerce } from '../commerce/module.ts'
import { profiles } from '../profiles/module.ts'
import { serviceEvents } from './events.ts'
import { createReviewService } from './reviews.ts'
import { serviceRoutes } from './routes.ts'
import { createCatalogueService } from './service.ts'

/** How many reviews of one profile are written in a day. */
const REVIEWS_A_DAY = { perBuyer: 5, perProfile: 100 }

/** Services that profiles list for sale, and reviews of them. */
export const services = defineCoreModule({
  name: 'services',
  events: serviceEvents,
  requires: [profiles, commerce],
  stores: ['negotiations', 'services'],
  scopes: ['read:services', 'write:services', 'write:reviews'],
  create: ({ read, write, clock, cache, counters }, { profiles, myProfiles }) => ({
    catalogue: createCatalogueService({ read, write, clock, cache, profiles }),
    reviews: createReviewService({
      read,
      write,
      clock,
      profiles,
      myProfiles,
      limit: { store: counters, ...REVIEWS_A_DAY },
    }),
  }),
  routes: serviceRoutes,
})
