import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const ofAccount = { audience: 'account', subject: 'account' } as const

/** A connection, and the app as the person saw it. */
const connection = z.object({
  connectionId: z.string(),
  name: z.string(),
  /** The host of its `client_id`; null for an app without one. */
  host: z.string().nullable(),
})

/** Entries of the audit log are kept when the account is erased, so they have no name of the app, which can be that of a person. */
const about = ({ connectionId, host }: z.output<typeof connection>) => ({
  connection_id: connectionId,
  ...(host !== null && { host }),
})

export const appConnected = defineEvent('oauth_server.app_connected', {
  ...ofAccount,
  data: connection.extend({
    kind: z.enum(['cimd', 'registered', 'configured']),
    scopes: z.array(z.string()).readonly(),
    profileId: z.int().nullable(),
  }),
  audit: {
    type: 'session.created',
    of: (data) => ({ metadata: { ...about(data), scopes: data.scopes.join(' ') } }),
  },
  summary: 'A person connected an app to an account',
})

export const appChanged = defineEvent('oauth_server.app_changed', {
  ...ofAccount,
  endsCredentials: true,
  data: connection.extend({ scopes: z.array(z.string()).readonly(), profileId: z.int().nullable() }),
  audit: {
    type: 'session.renewed',
    of: (data) => ({ metadata: { ...about(data), scopes: data.scopes.join(' ') } }),
  },
  summary: 'A person changed what a connected app may do',
})

/** Why a connection ended, as `AppEndReason` of the storage names it. */
const reason = z.enum([
  'user',
  'app',
  'session_ended',
  'profile_gone',
  'replaced',
  'code_replayed',
  'refresh_token_reused',
  'blocked',
  'account',
  'expired',
])

export const appDisconnected = defineEvent('oauth_server.app_disconnected', {
  ...ofAccount,
  endsCredentials: true,
  data: connection.extend({ reason }),
  audit: { type: 'session.revoked', of: (data) => ({ metadata: { ...about(data), reason: data.reason } }) },
  summary: 'The connection of an app ended',
})

export const refreshTokenReused = defineEvent('oauth_server.refresh_token_reused', {
  ...ofAccount,
  data: connection,
  audit: {
    type: 'session.revoked',
    outcome: 'failure',
    of: (data) => ({ failureReason: 'refresh_token_reused', metadata: about(data) }),
  },
  summary: 'A refresh token that was replaced before was used again, so the connection ended',
})

export const profileAppsChanged = defineEvent('oauth_server.profile_apps_changed', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ apps: z.enum(['allowed', 'owner_only']) }),
  audit: { type: 'session.renewed', of: ({ apps }) => ({ metadata: { apps } }) },
  invalidates: ['profile'],
  summary: 'The owner of a profile decided which connected apps reach it',
})

export const spendLimitReached = defineEvent('oauth_server.spend_limit_reached', {
  ...ofAccount,
  data: connection.extend({
    limit: z.enum(['purchase', 'day', 'month', 'account_month']),
    currency: z.enum(['usd', 'eur', 'credits']),
    /** The day in UTC, because the event is emitted once a day. */
    day: z.string(),
  }),
  audit: {
    type: 'rate_limit.triggered',
    outcome: 'failure',
    of: (data) => ({ failureReason: data.limit, metadata: { ...about(data), currency: data.currency } }),
  },
  summary: 'A connected app was refused a payment because of a limit of spending',
})

export const oauthServerEvents = [
  appConnected,
  appChanged,
  appDisconnected,
  refreshTokenReused,
  spendLimitReached,
  profileAppsChanged,
] as const
