import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { commerce } from '../commerce/token.ts'
import { listingEvents } from './events.ts'
import { createListingImporter, exportOfProfile } from './listing-archive.ts'
import { listingNotifications } from './notifications.ts'
import { servicesOfProfiles } from './profile-part.ts'
import { createReviewService } from './reviews.ts'
import { listingRoutes } from './routes.ts'
import { serviceScreen } from './service.screen.ts'
import { createListingService } from './service.ts'
import { servicesScreen } from './services.screen.ts'

/** The maximum number of reviews of one profile per day. */
const REVIEWS_A_DAY = { perBuyer: 5, perProfile: 100 }

/** Services that profiles list for sale, and reviews of them. */
export const listings = feature('listings', {}, () =>
  defineModule({
    name: 'listings',
    events: listingEvents,
    notifications: listingNotifications,
    requires: [profiles, commerce],
    stores: ['negotiations', 'listings'],
    scopes: ['read:services', 'write:services', 'write:reviews'],
    profilePart: servicesOfProfiles,
    create: ({ read, write, clock, cache, counters }, { profiles, myProfiles }) => ({
      listings: createListingService({ read, write, clock, cache, profiles }),
      reviews: createReviewService({
        read,
        write,
        clock,
        profiles,
        myProfiles,
        limit: { store: counters, ...REVIEWS_A_DAY },
      }),
    }),
    routes: listingRoutes,
    screens: ({ listings, profiles }) => [
      servicesScreen({ listings, profiles }),
      serviceScreen({ listings, profiles }),
    ],
    exportProfile: (_services, context) => exportOfProfile(context),
    importProfile: () => createListingImporter(),
  }),
)
