import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { content } from '../content/token.ts'
import type { ReactionsApi } from './api.ts'
import { bookmarksPage } from './bookmarks.routes.ts'
import { reactionButtons } from './buttons-html.ts'
import { reactionEvents } from './events.ts'
import { reactionForm } from './forms.routes.ts'
import { reactionRoutes } from './routes.ts'
import { createReactionService } from './service.ts'

/** Likes and bookmarks of pages. */
export const reactions = feature('reactions', {}, () =>
  defineModule({
    name: 'reactions',
    events: reactionEvents,
    requires: [profiles, content],
    stores: ['reactions'],
    create: ({ read, write, clock }, { content }) => ({
      reactions: createReactionService({ read, write, clock, content }),
    }),
    public: {
      reactions: ({ reactions }): ReactionsApi => pick(reactions, 'state', 'toggle', 'listOfCaller'),
    },
    routes(app, services, { trustedOrigins }) {
      reactionRoutes(app, services)
      bookmarksPage(app, services.reactions)
      reactionForm(app, services.reactions, new Set(trustedOrigins))
    },
    pageActions: ({ reactions }) => reactionButtons(reactions),
  }),
)
