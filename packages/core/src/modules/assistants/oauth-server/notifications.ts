import { z } from 'zod'
import { defineNotification } from '../../../framework/module/define-notification.ts'
import { scopeText } from '../../people/api-keys/index.ts'
import { appConnected, refreshTokenReused, spendLimitReached } from './events.ts'
import { appConnectedMessages, spendLimitMessages, tokenReusedMessages } from './messages.ts'

const app = z.object({ name: z.string(), host: z.string().nullable() })

const SCREEN = '/account/connected-apps'

/** Programs find the apps of an account under this path, and browsers are sent from it to the screen. */
const LINK = '/account/apps'

/** The name of an app in a sentence. A name that was empty is replaced by the host or the id. */
const nameOf = ({ name, host }: z.output<typeof app>): string => name || (host ?? '?')

const connected = defineNotification({
  kind: 'app_connected',
  summary: 'Connected apps',
  email: 'immediately',
  events: [appConnected],
  data: app.extend({ connectionId: z.string(), isVerified: z.boolean(), scopes: z.array(z.string()) }),
  notify: ({ accountId, data: { connectionId, name, host, kind, scopes } }) =>
    accountId === null
      ? undefined
      : {
          to: { accountId },
          data: { connectionId, name, host, isVerified: kind !== 'registered', scopes: [...scopes] },
        },
  text({ data, ...reader }) {
    const say = appConnectedMessages(reader)
    const scopes = new Intl.ListFormat(reader.language ?? 'en').format(
      data.scopes.map((name) => scopeText(reader, { name })),
    )
    return {
      title: say('title', { app: nameOf(data) }),
      body: [
        ...(data.host === null ? [] : [say('from', { host: data.host })]),
        ...(data.isVerified ? [] : [say('unverified')]),
        say('scopes', { scopes }),
        say('end'),
      ],
      link: LINK,
      page: `${SCREEN}/${data.connectionId}`,
    }
  },
})

const reused = defineNotification({
  kind: 'app_token_reused',
  summary: 'Apps that were disconnected because their access was used twice',
  email: 'immediately',
  events: [refreshTokenReused],
  data: app,
  notify: ({ accountId, data: { name, host } }) =>
    accountId === null ? undefined : { to: { accountId }, data: { name, host } },
  text({ data, ...reader }) {
    const say = tokenReusedMessages(reader)
    return {
      title: say('title', { app: nameOf(data) }),
      body: [say('why'), say('next')],
      link: LINK,
      page: SCREEN,
    }
  },
})

const REASONS = { purchase: 'purchase', day: 'day', month: 'month', account_month: 'account' } as const

const spending = defineNotification({
  kind: 'app_spend_limit',
  summary: 'Apps that reached a limit of spending',
  email: 'immediately',
  events: [spendLimitReached],
  data: app.extend({ connectionId: z.string(), limit: z.enum(['purchase', 'day', 'month', 'account_month']) }),
  notify: ({ accountId, data: { connectionId, name, host, limit } }) =>
    accountId === null ? undefined : { to: { accountId }, data: { connectionId, name, host, limit } },
  text({ data, ...reader }) {
    const say = spendLimitMessages(reader)
    return {
      title: say('title', { app: nameOf(data) }),
      body: [say(REASONS[data.limit]), say('next')],
      link: LINK,
      page: `${SCREEN}/${data.connectionId}`,
    }
  },
})

/** Notifications about connected apps, which are also sent by email. */
export const appNotifications = [connected, reused, spending] as const
