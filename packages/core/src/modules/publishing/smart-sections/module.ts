import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { paywall } from '../../access/paywall/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { profilePages } from '../profile-documents/token.ts'
import type { SmartSectionsApi } from './api.ts'
import { smartSectionEvents } from './events.ts'
import { sectionsOfProfiles } from './profile-part.ts'
import { smartSectionRoutes } from './routes.ts'
import { createSectionImporter, exportOfProfile } from './section-archive.ts'
import { createSmartSectionService } from './service.ts'

/** Sections of profiles for types of agents. */
export const smartSections = feature('smartSections', {}, () =>
  defineModule({
    name: 'smart-sections',
    events: smartSectionEvents,
    requires: [profiles, paywall, profilePages],
    stores: ['smartSections'],
    profilePart: sectionsOfProfiles,
    create: ({ read, write, clock }, { profiles }) => ({
      smartSections: createSmartSectionService({ read, write, clock, profiles }),
    }),
    public: {
      smartSections: ({ smartSections }): SmartSectionsApi => pick(smartSections, 'get', 'replace'),
    },
    exportProfile: (_services, context) => exportOfProfile(context),
    importProfile: () => createSectionImporter(),
    routes: smartSectionRoutes,
  }),
)
