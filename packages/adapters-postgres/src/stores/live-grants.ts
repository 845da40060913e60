import { createHash } from 'node:crypto'
import type { AudienceRequirement, Grant, GrantRecord } from '@eep/core/ports'
import type { ExpressionBuilder } from 'kysely'
import type { Database, Row } from '../database.ts'
import { databaseNow, toDate, toDateOrNull } from '../rows.ts'

/** Whether a grant counts now by the clock of the database. */
export const isLive = (where: ExpressionBuilder<Database, 'grants'>) =>
  where.and([
    where('grants.ended_at', 'is', null),
    where('grants.suspended_at', 'is', null),
    where('grants.starts_at', '<=', databaseNow),
    where.or([where('grants.ends_at', 'is', null), where('grants.ends_at', '>', databaseNow)]),
  ])

/** An audience as the column has it: equal requirements are equal texts. */
export const writeAudience = (audience: AudienceRequirement | null | undefined): string => {
  if (!audience) return ''
  const { type, any_of: any, none_of: none = [] } = audience
  return JSON.stringify({
    type,
    any_of: any.toSorted(),
    ...(none.length > 0 && { none_of: none.toSorted() }),
  })
}

/** The digest of an audience in its column, for keys. */
export const audienceKey = (column: string): string =>
  column === '' ? '' : createHash('sha256').update(column).digest('base64url')

export const readAudience = (column: string): AudienceRequirement | null =>
  column === '' ? null : (JSON.parse(column) as AudienceRequirement)

export const toGrant = (row: Row<'grants'>): Grant => ({
  id: row.id,
  profileId: Number(row.profile_id),
  resourcePattern: row.resource_pattern,
  payerWalletAddress: row.payer_wallet_address,
  payerNetwork: row.payer_network,
  tier: row.tier,
  audience: readAudience(row.audience),
  receiptId: row.receipt_id,
  reason: row.reason,
  startsAt: toDate(row.starts_at),
  validUntil: toDateOrNull(row.ends_at),
  createdAt: toDate(row.created_at),
})

export const toGrantRecord = (row: Row<'grants'>): GrantRecord => ({
  ...toGrant(row),
  suspendedAt: toDateOrNull(row.suspended_at),
  revokedAt: toDateOrNull(row.ended_at),
})
