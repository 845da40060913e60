import { defineModule } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import { pick } from '../../../kernel/pick.ts'
import { connections } from '../../profiles/connections/token.ts'
import { createProfileScores } from '../../profiles/profiles/index.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import { commerce } from '../commerce/token.ts'
import type { MessagesApi } from './api.ts'
import { blockButton } from './block-button-html.ts'
import { blockPages } from './blocks.routes.ts'
import { messageButton } from './button-html.ts'
import { messageEvents } from './events.ts'
import { exportOfProfile } from './export-messages.ts'
import { createMoveConsumer } from './negotiation-moves.ts'
import { messageNotifications } from './notifications.ts'
import { messagesOptions } from './options.ts'
import { messagePages } from './pages.routes.ts'
import { messagePermissions } from './permissions.ts'
import { messageRoutes } from './routes.ts'
import { createMessageService } from './service.ts'

/** Private conversations of two profiles. */
export const messages = feature('messages', messagesOptions, (options) =>
  defineModule({
    name: 'messages',
    events: messageEvents,
    notifications: messageNotifications,
    requires: [profiles],
    uses: [connections, commerce],
    stores: ['messages'],
    optionalStores: ['followers'],
    scopes: ['read:messages', 'write:messages'],
    permissions: messagePermissions,
    create({ read, write, clock, cache, may, counters, scaled }, { profiles, myProfiles, connections }) {
      const scores = createProfileScores({ read, clock, cache })
      const { perMinute, newPerHour, newAccountPerMinute, newAccountNewPerHour, ...limits } = options
      return {
        messages: createMessageService({
          read,
          write,
          clock,
          profiles,
          myProfiles,
          may,
          connections,
          trustOf: async (profile) => (await scores.ofProfile(profile)).trust.score,
          counters,
          limits: {
            ...limits,
            perMinute: scaled(perMinute),
            newPerHour: scaled(newPerHour),
            newAccountPerMinute: scaled(newAccountPerMinute),
            newAccountNewPerHour: scaled(newAccountNewPerHour),
          },
        }),
      }
    },
    public: {
      messages: ({ messages }): MessagesApi =>
        pick(messages, 'open', 'send', 'list', 'listMessages', 'markRead', 'setBlocked', 'deleteMessage'),
    },
    routes(app, services, { trustedOrigins }) {
      messageRoutes(app, services)
      const ownOrigins = new Set(trustedOrigins)
      messagePages(app, services, ownOrigins)
      blockPages(app, services.messages, ownOrigins)
    },
    pageActions: ({ messages }) => [messageButton(messages), blockButton(messages)],
    exportProfile: (_services, context) => exportOfProfile(context),
    consumers: ({ negotiations }, { read, write }) =>
      negotiations && read.followers ? [createMoveConsumer({ write })] : [],
  }),
)
