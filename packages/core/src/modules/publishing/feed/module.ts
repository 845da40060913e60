import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { connections } from '../../profiles/connections/token.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { FeedApi } from './api.ts'
import { feedButtons } from './buttons-html.ts'
import { feedEvents } from './events.ts'
import { exportOfProfile } from './export-posts.ts'
import { feedForms } from './forms.routes.ts'
import { createPostImporter } from './import-posts.ts'
import { createModerationService } from './moderation.ts'
import { feedNotifications } from './notifications.ts'
import { feedOptions } from './options.ts'
import { feedPermissions } from './permissions.ts'
import { feedLimits } from './plan-limits.ts'
import { createPostingLimits } from './posting-limits.ts'
import { postsOfProfiles } from './profile-part.ts'
import { feedRoutes } from './routes.ts'
import { createFeedService } from './service.ts'
import { createSignalPosts } from './signal-posts.ts'

/** Short public updates of profiles, and likes of them. */
export const feed = feature('feed', feedOptions, (options) =>
  defineModule({
    name: 'feed',
    events: feedEvents,
    notifications: feedNotifications,
    requires: [profiles, connections],
    stores: ['feed', 'connections'],
    planLimits: feedLimits,
    optionalStores: ['audit', 'files'],
    scopes: ['read:feed', 'write:feed'],
    permissions: feedPermissions,
    profilePart: postsOfProfiles,
    create({ read, write, clock, cache, may, counters, scaled, settings }, { profiles, myProfiles }) {
      const limits = createPostingLimits({ clock, counters, scaled, limits: options })
      return {
        postingLimits: limits,
        feed: createFeedService({
          read,
          write,
          clock,
          may,
          profiles,
          myProfiles,
          limits,
          planLimits: settings.planLimits,
        }),
        signalPosts: createSignalPosts({ read, cache }),
        feedModeration: read.audit && createModerationService({ read, write, clock, profiles }),
      }
    },
    public: {
      feed: ({ feed }): FeedApi =>
        pick(
          feed,
          'post',
          'remove',
          'get',
          'listReplies',
          'listAll',
          'listOfHashtag',
          'listOfProfile',
          'listFollowing',
          'like',
          'unlike',
        ),
    },
    routes(app, services, context) {
      feedRoutes(app, services, context)
      feedForms(app, services.feed, new Set(context.trustedOrigins))
    },
    pageActions: ({ feed }) => feedButtons(feed),
    exportProfile: (_services, context) => exportOfProfile(context),
    importProfile: ({ postingLimits: limits }, { read, clock, settings: { planLimits } }) =>
      createPostImporter({ read, clock, limits, planLimits }),
  }),
)
