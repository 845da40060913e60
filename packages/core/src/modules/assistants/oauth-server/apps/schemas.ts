import { z } from 'zod'
import { listOf } from '../../../../http/documents/lists.ts'
import type { SpendTotal } from '../../../../ports/storage/app-spending.ts'
import type { AppConnection } from '../../../../ports/storage/connected-apps.ts'
import { type ChosenLimits, chosenLimits, MILLIONTHS } from '../spending-html.ts'

const MAX_SCOPES = 100

const amount = z.number().nonnegative()
const limitsSchema = z
  .object({
    purchase: amount.describe('US dollars, and the same in euros'),
    day: amount,
    month: amount,
    credits_day: amount.describe('Credits in one day'),
  })
  .meta({ id: 'AppLimits' })

const spentSchema = z
  .object({ currency: z.enum(['usd', 'eur', 'credits']), day: amount, month: amount })
  .meta({ id: 'AppSpent' })

export const appSchema = z
  .object({
    id: z.uuid(),
    name: z.string().describe('A claim of the app, unless `verified`'),
    client_id: z.string(),
    client_host: z.string().nullable(),
    verified: z.boolean().describe('Whether the service checked that the app controls its host'),
    scopes: z.array(z.string()),
    profile_id: z.int().nullable().describe('The only profile that it acts for; null for all'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('When it ends unless it is used before'),
    spending: z.object({
      allowed: z.boolean().describe('Whether it can get scopes that spend'),
      limits: limitsSchema,
      spent: z.array(spentSchema).describe('By all connections of the same app: today and in this month, in UTC'),
    }),
  })
  .meta({ id: 'ConnectedApp' })

export const appListSchema = listOf(appSchema)
export const appParams = z.object({ id: z.string().min(1).max(64).describe('The id of the connection') })

/** The body of a change, within the scopes that apps can get and the limits of the operator. */
export const appChangesBody = (grantable: readonly string[], most: ChosenLimits) =>
  z
    .strictObject({
      scopes: z.array(z.enum(grantable)).min(1).max(MAX_SCOPES).optional(),
      profile_id: z.int().positive().nullable().optional(),
      spending: z
        .strictObject({
          purchase: amount.max(most.purchase),
          day: amount.max(most.day),
          month: amount.max(most.month),
          credits_day: amount.max(most.credits),
        })
        .partial()
        .optional(),
    })
    .meta({ id: 'AppChanges' })

export const endedSchema = z.object({ success: z.literal(true) }).meta({ id: 'DisconnectedApp' })
export const allEndedSchema = z.object({ success: z.literal(true), ended: z.int() }).meta({ id: 'DisconnectedApps' })

/** Serializes a connection, with what its app spent. */
export function serializeApp(
  connection: AppConnection,
  totals: readonly SpendTotal[],
  byDefault: ChosenLimits,
): z.input<typeof appSchema> {
  const { id, app, scopes, profileId, createdAt, lastUsedAt, idleEndsAt, spender, maySpend, spending } = connection
  const { purchase, day, month, credits } = chosenLimits(spending, byDefault)
  return {
    id,
    name: app.name,
    client_id: app.clientId,
    client_host: app.host,
    verified: app.verified,
    scopes: [...scopes],
    profile_id: profileId,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    expires_at: idleEndsAt.toISOString(),
    spending: {
      allowed: maySpend,
      limits: { purchase, day, month, credits_day: credits },
      spent: totals
        .filter((total) => total.spender === spender)
        .map(({ currency, day, month }) => ({ currency, day: day / MILLIONTHS, month: month / MILLIONTHS })),
    },
  }
}
