import { pick } from '../../kernel/pick.ts'
import { defineCoreModule, type Worker } from '../../module/define-module.ts'
import { profiles } from '../profiles/module.ts'
import { notificationEvents } from './events.ts'
import { createNotifier } from './notifier.ts'
import { createNotificationRetention } from './retention.ts'
import { notificationRoutes } from './routes.ts'
import { createNotificationService } from './service.ts'
import { createTexts } from './texts.ts'

/** What happened, for the accounts that it concerns. Other modules declare what in `notifications`. */
export const notifications = defineCoreModule({
  name: 'notifications',
  events: notificationEvents,
  requires: [profiles],
  stores: ['notifications', 'followers'],
  optionalStores: ['teams'],
  scopes: ['read:notifications', 'write:notifications'],
  create({ read, write, clock, notificationKinds }, { myProfiles }) {
    const texts = createTexts(notificationKinds)
    return { notifications: createNotificationService({ read, write, clock, texts, myProfiles }) }
  },
  public: {
    notifications: ({ notifications }) => pick(notifications, 'list', 'markRead', 'preferences', 'setPreferences'),
  },
  routes: notificationRoutes,
  workers(_services, { read, write, clock, consumers, notificationKinds, settings, report }) {
    const notifier = createNotifier({ read, clock, definitions: notificationKinds })
    let unfollow: (() => Promise<void>) | undefined
    const making: Worker = {
      start() {
        unfollow = consumers.durable('notifications.make', notifier)
      },
      stop: async () => unfollow?.(),
    }
    const { retentionMs } = settings.notifications
    return [making, createNotificationRetention({ write, clock, retentionMs, onError: report })]
  },
})
