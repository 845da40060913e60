import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { line } from '../../../kernel/text-fields.ts'
import { PLANS } from '../../../model/plan.ts'
import type { ListedAccount, ServiceNumbers } from '../../../ports/storage/admin.ts'
import type { AuditEntry } from '../../../ports/storage/audit.ts'

const tier = z.enum(PLANS)
const moment = z.iso.datetime()
const count = z.int().min(0)
const counts = z.record(z.string(), count)
const flag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })

export const usersQuery = listQuery.extend({
  q: line(128).optional().describe('A part of the email address or the username, or a complete id'),
  email: z.email().max(254).optional().describe('A whole email address'),
  tier: tier.optional(),
  banned: flag.optional(),
  is_admin: flag.optional(),
})

export const userParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })

export const decisionBody = z
  .strictObject({
    tier: tier.optional().describe('The minimum tier of the account; `community` removes the grant'),
    banned: z.boolean().optional(),
    is_admin: z.boolean().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'Requires at least one change')

export const resetSchema = z.object({ success: z.literal(true) }).meta({ id: 'Success' })

export const listedUserSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    email_verified: z.boolean(),
    username: z.string(),
    full_name: z.string().nullable(),
    tier,
    granted_tier: tier.nullable(),
    is_admin: z.boolean(),
    banned_at: moment.nullable(),
    deletion_scheduled_at: moment
      .nullable()
      .describe('When the account is purged, unless it signs in before; 1970-01-01T00:00:00.000Z while its purge runs'),
    created_at: moment,
    subscription: z
      .object({ tier, processor: z.string(), status: z.string(), current_period_end: moment.nullable() })
      .nullable(),
  })
  .meta({ id: 'AdminAccount' })
export const usersSchema = listOf(listedUserSchema)

export const serializeListedAccount = (
  { account, subscription }: ListedAccount,
  isAdmin: boolean,
): z.input<typeof listedUserSchema> => ({
  id: account.id,
  email: account.email,
  email_verified: account.emailVerified,
  username: account.username,
  full_name: account.fullName,
  tier: account.tier,
  granted_tier: account.grantedTier,
  is_admin: isAdmin,
  banned_at: account.bannedAt?.toISOString() ?? null,
  deletion_scheduled_at: account.deletionScheduledAt?.toISOString() ?? null,
  created_at: account.createdAt.toISOString(),
  subscription: subscription && {
    tier: subscription.tier,
    processor: subscription.processor,
    status: subscription.status,
    current_period_end: subscription.currentPeriodEnd?.toISOString() ?? null,
  },
})

export const statsSchema = z
  .object({
    accounts: z.object({
      total: count,
      verified: count,
      banned: count,
      deletion_scheduled: count,
      last_30_days: count,
      by_tier: counts,
    }),
    profiles: z.object({ total: count, by_type: counts }),
    pages: z.object({ total: count, published: count }),
    files: z.object({ total: count, bytes: count }),
    subscriptions: z.object({ by_status: counts }),
    receipts: z.object({ total: count, last_30_days: count }),
  })
  .meta({ id: 'ServiceStatistics' })

export const serializeStats = (numbers: ServiceNumbers): z.input<typeof statsSchema> => {
  const { accounts, profiles, pages, files, subscriptions, receipts } = numbers
  return {
    accounts: {
      total: accounts.total,
      verified: accounts.verified,
      banned: accounts.banned,
      deletion_scheduled: accounts.leaving,
      last_30_days: accounts.recent,
      by_tier: accounts.byTier as Record<string, number>,
    },
    profiles: { total: profiles.total, by_type: profiles.byType as Record<string, number> },
    pages,
    files,
    subscriptions: { by_status: subscriptions.byStatus as Record<string, number> },
    receipts: { total: receipts.total, last_30_days: receipts.recent },
  }
}

export const auditQuery = listQuery.extend({
  target: line(128).optional().describe('The changed object: `accounts/<id>`, `pricing/pro`'),
})

const entrySchema = z
  .object({
    id: z.int(),
    actor_account_id: z.uuid().nullable(),
    action: z.string(),
    target: z.string(),
    before: z.looseObject({}),
    after: z.looseObject({}),
    at: moment,
  })
  .meta({ id: 'AdminAuditEntry' })
export const auditSchema = listOf(entrySchema)

export const serializeAuditEntry = ({ actorAccountId, at, ...entry }: AuditEntry): z.input<typeof entrySchema> => ({
  ...entry,
  actor_account_id: actorAccountId,
  at: at.toISOString(),
})
