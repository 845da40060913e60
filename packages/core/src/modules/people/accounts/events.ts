import { z } from 'zod'
import { PLANS } from '../../../model/plan.ts'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const account = z.object({ accountId: z.string() })
const named = account.extend({ username: z.string() })
/** Nothing that is cached depends on the sessions of an account, and people sign in and out often. */
const NOTHING = [] as const
const ofAccount = { audience: 'account', subject: 'account', invalidates: ['account'] } as const

export const accountRegistered = defineEvent('accounts.account_registered', {
  ...ofAccount,
  data: named,
  invalidates: ['account', 'profile'],
  summary: 'An account was registered',
})
export const sessionStarted = defineEvent('accounts.session_started', {
  ...ofAccount,
  invalidates: NOTHING,
  data: account,
  summary: 'An account signed in',
})
const END_REASONS = [
  'signed_out',
  'ended_by_owner',
  'password_changed',
  'passkey_deleted',
  'provider_unlinked',
  'email_changed',
  'email_restored',
  'payout_restored',
  'account_taken_over',
  'deletion_scheduled',
  'banned',
] as const
/** Why sessions ended. */
export type SessionEndReason = (typeof END_REASONS)[number]
const reason = z.enum(END_REASONS)

export const sessionsEnded = defineEvent('accounts.sessions_ended', {
  ...ofAccount,
  endsCredentials: true,
  invalidates: NOTHING,
  data: account.extend({
    /** The session that ended. Null when several may have ended. */
    sessionId: z.string().nullable(),
    /** The only token of it that ended. Null when all did. */
    use: z.enum(['cookie', 'bearer']).nullable(),
    /** The session that remains. Null when none does. */
    exceptSessionId: z.string().nullable(),
    reason,
  }),
  signal: {
    types: {
      'session.revoked': z.object({
        session_id: z.string().nullable().describe('The session that ended; null when several may have ended'),
        use: z
          .enum(['cookie', 'bearer'])
          .nullable()
          .describe('The only token of it that ended, by a logout; null when all did'),
        except_session_id: z.string().nullable().describe('The session that remains; null when none does'),
        reason,
        revoked_at: z.iso.datetime(),
      }),
    },
    of: ({ accountId, sessionId, use, exceptSessionId, reason }, { at }) => ({
      type: 'session.revoked',
      data: {
        session_id: sessionId,
        use: use ?? null,
        except_session_id: exceptSessionId,
        reason,
        revoked_at: at.toISOString(),
      },
      accountId,
    }),
  },
  audit: {
    type: 'session.revoked',
    of: ({ sessionId, reason }) => ({ sessionTokenId: sessionId ?? undefined, metadata: { reason } }),
  },
  summary: 'Sessions of an account ended before they expired',
})
export const emailVerified = defineEvent('accounts.email_verified', {
  ...ofAccount,
  data: account,
  summary: 'The email address of an account was verified',
})
export const emailChanged = defineEvent('accounts.email_changed', {
  ...ofAccount,
  data: account,
  summary: 'The email address of an account was replaced',
})
export const accountTakenOver = defineEvent('accounts.account_taken_over', {
  ...ofAccount,
  endsCredentials: true,
  data: account,
  summary: 'The owner of the email address took the account over; everything registered under it before has ended',
})
export const passwordChanged = defineEvent('accounts.password_changed', {
  ...ofAccount,
  endsCredentials: true,
  data: account,
  summary: 'The password was changed, and all earlier sessions have ended',
})
export const planChanged = defineEvent('accounts.tier_changed', {
  ...ofAccount,
  data: account.extend({ tier: z.enum(PLANS), before: z.enum(PLANS) }),
  summary: 'The plan of an account changed',
})
export const accountBanned = defineEvent('accounts.account_banned', {
  ...ofAccount,
  endsCredentials: true,
  invalidates: ['account', 'lists'],
  data: account,
  summary: 'An administrator banned an account',
})
export const accountUnbanned = defineEvent('accounts.account_unbanned', {
  ...ofAccount,
  invalidates: ['account', 'lists'],
  data: account,
  summary: 'An administrator lifted a ban',
})
export const adminChanged = defineEvent('accounts.admin_changed', {
  ...ofAccount,
  data: account.extend({ isAdmin: z.boolean() }),
  summary: 'An account became an administrator or stopped being one',
})
export const deletionScheduled = defineEvent('accounts.deletion_scheduled', {
  ...ofAccount,
  endsCredentials: true,
  data: account.extend({ at: z.string() }),
  summary: 'An account is hidden and will be purged at the given time',
})
export const deletionCancelled = defineEvent('accounts.deletion_cancelled', {
  ...ofAccount,
  data: account,
  summary: 'The owner signed in before the account was purged',
})
export const accountPurged = defineEvent('accounts.account_purged', {
  audience: 'internal',
  subject: 'service',
  data: z.object({ profiles: z.int() }),
  summary: 'An account was purged; the event does not say which',
})

export const accountEvents = [
  accountRegistered,
  sessionStarted,
  sessionsEnded,
  emailVerified,
  emailChanged,
  accountTakenOver,
  passwordChanged,
  planChanged,
  accountBanned,
  accountUnbanned,
  adminChanged,
  deletionScheduled,
  deletionCancelled,
  accountPurged,
] as const
