import { defineModule, type Worker } from '../../../framework/module/define-module.ts'
import { feature } from '../../../framework/module/feature.ts'
import type { Settings } from '../../../framework/options/options.ts'
import { pick } from '../../../kernel/pick.ts'
import { shippedLanguage } from '../../../model/languages.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { retention } from '../../../runtime/consumers/retention.ts'
import { profiles } from '../../profiles/profiles/token.ts'
import type { NotificationsApi } from './api.ts'
import { createEmailComposer } from './compose-emails.ts'
import { notificationDigestEmail, notificationEmail } from './email-definitions.ts'
import { createNotificationEmails } from './emails.ts'
import { notificationEvents } from './events.ts'
import { createNotifier } from './notifier.ts'
import { notificationsOptions } from './options.ts'
import { notificationRoutes } from './routes.ts'
import { createNotificationService } from './service.ts'
import { notificationSettingsScreen } from './settings.screen.ts'
import { createTexts } from './texts.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'
import { createUnsubscribeTokens } from './unsubscribe-token.ts'

const PRUNED_AT_ONCE = 500

/** The language of texts for a reader: the given one if it is shipped or translated by the host, else that of emails. */
function readerIn(tag: string, { pages: { translations }, email }: Pick<Settings, 'pages' | 'email'>): PageLanguage {
  const language = translations[tag] ? tag : (shippedLanguage(tag) ?? email.language)
  return { language, translations }
}

/** Notifications of accounts about events. Other modules declare their kinds in `notifications`. */
export const notifications = feature('notifications', notificationsOptions, (options) =>
  defineModule({
    name: 'notifications',
    events: notificationEvents,
    emails: [notificationEmail, notificationDigestEmail],
    requires: [profiles],
    stores: ['notifications', 'followers'],
    optionalStores: ['teams'],
    sendsNotifications: true,
    scopes: ['read:notifications', 'write:notifications'],
    create(context, { myProfiles }) {
      const { read, write, clock, notificationKinds, keyring, outbox, publicUrl, settings, logger, report } = context
      const texts = createTexts(notificationKinds, settings.frontendUrls, report)
      const tokens = createUnsubscribeTokens(keyring)
      return {
        notifications: createNotificationService({ read, write, clock, texts, tokens, myProfiles }),
        notificationEmails: createNotificationEmails({
          write,
          clock,
          outbox,
          composer: createEmailComposer({
            read,
            may: context.may,
            texts,
            tokens,
            publicUrl,
            readerOf: ({ language }) => readerIn(language ?? settings.email.language, settings),
            listUrl: settings.frontendUrls.notifications,
          }),
          digestHour: options.digestHour,
          logger,
          onError: report,
        }),
      }
    },
    public: {
      notifications: ({ notifications }): NotificationsApi =>
        pick(notifications, 'list', 'markRead', 'preferences', 'setPreferences'),
    },
    screens: ({ notifications }, { notificationKinds }) => [
      notificationSettingsScreen({ notifications, definitions: notificationKinds }),
    ],
    routes(app, services, context) {
      notificationRoutes(app, services, context)
      unsubscribeRoutes(app, services)
    },
    workers({ notificationEmails }, context) {
      const { read, write, clock, consumers, notificationKinds, settings, logger, report } = context
      const notifier = createNotifier({
        read,
        clock,
        may: context.may,
        definitions: notificationKinds,
        adminEmails: settings.auth.adminEmails,
        digestHour: settings.email.mailer && options.digestHour,
        logger,
        onStored: notificationEmails.wake,
      })
      let unfollow: (() => Promise<void>) | undefined
      const making: Worker = {
        start() {
          unfollow = consumers.durable('notifications.make', notifier)
        },
        stop: async () => unfollow?.(),
      }
      const { retentionDays } = options
      return [
        settings.email.mailer && notificationEmails,
        making,
        retention((before) => write((tx) => tx.notifications.prune(before, PRUNED_AT_ONCE)), {
          clock,
          retentionDays,
          everyMs: 10 * 60_000,
          onError: report,
        }),
      ]
    },
  }),
)
