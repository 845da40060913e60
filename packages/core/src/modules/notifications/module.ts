import { pick } from '../../kernel/pick.ts'
import { defineCoreModule, type Worker } from '../../module/define-module.ts'
import { profiles } from '../profiles/module.ts'
import { createEmailComposer } from './compose-emails.ts'
import { notificationDigestEmail, notificationEmail } from './email-texts.ts'
import { createNotificationEmails } from './emails.ts'
import { notificationEvents } from './events.ts'
import { createNotifier } from './notifier.ts'
import { createNotificationRetention } from './retention.ts'
import { notificationRoutes } from './routes.ts'
import { createNotificationService } from './service.ts'
import { createTexts } from './texts.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'
import { createUnsubscribeTokens } from './unsubscribe-token.ts'

/** Notifications of accounts about events. Other modules declare their kinds in `notifications`. */
export const notifications = defineCoreModule({
  name: 'notifications',
  events: notificationEvents,
  emails: [notificationEmail, notificationDigestEmail],
  requires: [profiles],
  stores: ['notifications', 'followers'],
  optionalStores: ['teams'],
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
          texts,
          tokens,
          publicUrl,
          listUrl: settings.frontendUrls.notifications,
        }),
        digestHour: settings.notifications.digestHour,
        logger,
        onError: report,
      }),
    }
  },
  public: {
    notifications: ({ notifications }) => pick(notifications, 'list', 'markRead', 'preferences', 'setPreferences'),
  },
  routes(app, services, context) {
    notificationRoutes(app, services, context)
    unsubscribeRoutes(app, services)
  },
  workers({ notificationEmails }, context) {
    const { read, write, clock, consumers, notificationKinds, settings, logger, report } = context
    const notifier = createNotifier({
      read,
      clock,
      definitions: notificationKinds,
      digestHour: settings.email.mailer && settings.notifications.digestHour,
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
    const { retentionMs } = settings.notifications
    return [
      settings.email.mailer && notificationEmails,
      making,
      createNotificationRetention({ write, clock, retentionMs, onError: report }),
    ]
  },
})
