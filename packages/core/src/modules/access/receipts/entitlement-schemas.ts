import { z } from 'zod'
import { emailAddress } from '../../../kernel/email-address.ts'
import { line } from '../../../kernel/text-fields.ts'
import type { GrantRecord } from '../../../ports/storage/entitlements.ts'

/** The moments whose text in ISO 8601 has four digits for the year. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

const end = z.iso
  .datetime({ offset: true })
  .refine((text) => !(Date.parse(text) < FIRST_MOMENT || Date.parse(text) > LAST_MOMENT), {
    error: 'Must be in the years 0 to 9999 in UTC',
  })

export const grantBody = z.strictObject({
  profile_id: z.int().min(1),
  tier: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/),
  payer_wallet: z.string().min(1).max(128).optional(),
  payer_network: z.string().min(1).max(128).optional().meta({ description: 'CAIP-2, or an alias like base' }),
  payer_did: z
    .string()
    .max(512)
    .regex(/^did:[a-z0-9]+:\S+$/)
    .optional(),
  account: z.string().min(1).max(254).optional().meta({ description: 'An account by id, username or email' }),
  email: emailAddress
    .optional()
    .meta({ description: 'For the account that has verified this address, or verifies it later' }),
  valid_until: end.nullish().meta({ description: 'Default: no expiry' }),
  reason: line(256).optional(),
})

export const revokeQuery = z.object({ reason: line(256).optional() })

const time = z.iso.datetime()

export const entitlementSchema = z
  .object({
    id: z.uuid(),
    profile_id: z.int(),
    resource_pattern: z.string(),
    tier: z.string(),
    payer_wallet_address: z.string().meta({ description: 'A wallet, DID, account id or email, by payer_network' }),
    payer_network: z.string().meta({ description: 'CAIP-2, the method of a DID, `account`, or `email`' }),
    receipt_id: z.string().nullable().meta({ description: 'Null for a grant without a payment' }),
    reason: z.enum(['purchase', 'hand', 'trial', 'grace']),
    audience: z
      .object({ type: z.literal('x-audience'), any_of: z.array(z.string()), none_of: z.array(z.string()).optional() })
      .nullable()
      .meta({ description: 'The audience in which alone it counts; null for everyone' }),
    starts_at: time,
    valid_until: time.nullable(),
    suspended_at: time.nullable().meta({ description: 'Since when a dispute suspends it' }),
    revoked_at: time.nullable(),
    created_at: time,
  })
  .meta({ id: 'Entitlement' })

export const serializeEntitlement = (one: GrantRecord) => ({
  id: one.id,
  profile_id: one.profileId,
  resource_pattern: one.resourcePattern,
  tier: one.tier,
  payer_wallet_address: one.payerWalletAddress,
  payer_network: one.payerNetwork,
  receipt_id: one.receiptId,
  reason: one.reason,
  audience: one.audience && {
    type: one.audience.type,
    any_of: [...one.audience.any_of],
    ...(one.audience.none_of && { none_of: [...one.audience.none_of] }),
  },
  starts_at: one.startsAt.toISOString(),
  valid_until: one.validUntil?.toISOString() ?? null,
  suspended_at: one.suspendedAt?.toISOString() ?? null,
  revoked_at: one.revokedAt?.toISOString() ?? null,
  created_at: one.createdAt.toISOString(),
})
