import type {
  ActivePattern,
  EntitlementBuyers,
  EntitlementHolder,
  EntitlementStore,
  Grant,
  NewGrant,
} from '@eep/core/ports'
import { type CompiledQuery, sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, isText, toDateOrNull } from '../rows.ts'
import { audienceKey, isLive, readAudience, toGrant, writeAudience } from './live-grants.ts'
import { ENTITLEMENT_KEY } from './lock-entitlements.ts'
import { recompute } from './recompute-entitlements.ts'

type ActiveRow = Pick<Row<'entitlements'>, 'resource_pattern' | 'valid_until' | 'audience'> & {
  readonly is_over: boolean | null
}

const toPattern = (row: Omit<ActiveRow, 'is_over'>): ActivePattern => ({
  resourcePattern: row.resource_pattern,
  validUntil: toDateOrNull(row.valid_until),
  audience: readAudience(row.audience),
})

export function entitlements(db: Db): EntitlementStore {
  let patternsQuery: CompiledQuery | undefined

  return {
    async listActive({ profileId, payerWalletAddress, payerNetwork }: EntitlementHolder) {
      const rows = await db
        .selectFrom('grants')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('payer_wallet_address', '=', payerWalletAddress)
        .where('payer_network', '=', payerNetwork)
        .where(isLive)
        .orderBy('created_at')
        .orderBy('resource_pattern')
        .orderBy('id')
        .execute()
      return rows.map(toGrant)
    },

    async listActivePatterns(holder) {
      if ('buyers' in holder) return listPatternsOfBuyers(db, holder)
      const { profileId, payerWalletAddress, payerNetwork } = holder
      // Compiled once, with the time as a parameter: compiling the SQL again and planning another condition take as
      // long as the response.
      patternsQuery ??= db
        .selectFrom('entitlements')
        .where('profile_id', '=', profileId)
        .where('payer_wallet_address', '=', payerWalletAddress)
        .where('payer_network', '=', payerNetwork)
        .select([
          'resource_pattern',
          'valid_until',
          'audience',
          sql`not is_open or valid_until <= statement_timestamp()`.as('is_over'),
        ])
        .compile()
      const parameters = [profileId, payerWalletAddress, payerNetwork]
      const { rows } = await db.executeQuery<ActiveRow>({ ...patternsQuery, parameters })
      return rows.filter((row) => !row.is_over).map(toPattern)
    },

    grant: (grant) => storeGrant(db, grant),
  }
}

/** Stores a grant, locking the entitlement of its holder to its pattern first. */
async function storeGrant(db: Db, grant: NewGrant): Promise<Grant> {
  const audience = writeAudience(grant.audience)
  const key = {
    profile_id: grant.profileId,
    resource_pattern: grant.resourcePattern,
    payer_wallet_address: grant.payerWalletAddress,
    payer_network: grant.payerNetwork,
    audience,
    audience_key: audienceKey(audience),
  }
  const { id: entitlementId } = await db
    .insertInto('entitlements')
    .values({ ...key, is_open: false, valid_until: null })
    .onConflict((conflict) =>
      conflict.columns([...ENTITLEMENT_KEY]).doUpdateSet({ is_open: (row) => row.ref('entitlements.is_open') }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const startsAt = grant.startsAt ?? databaseNow
  const row = await db
    .insertInto('grants')
    .values({
      ...key,
      id: grant.id,
      tier: grant.tier,
      receipt_id: grant.receiptId,
      reason: grant.reason,
      starts_at: startsAt,
      ends_at: grant.validUntil,
      is_due: grant.startsAt ? sql<boolean>`${grant.startsAt}::timestamptz > ${databaseNow}` : false,
      created_at: grant.createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recompute(db, [entitlementId])
  return toGrant(row)
}

async function listPatternsOfBuyers(db: Db, { profileId, buyers }: EntitlementBuyers) {
  if (buyers.length === 0 || !isText(...buyers)) return []
  const rows = await db
    .selectFrom('grants')
    .select(['resource_pattern', 'ends_at as valid_until', 'audience'])
    .where('profile_id', '=', profileId)
    .where('receipt_id', 'in', (query) =>
      query
        .selectFrom('payments')
        .select('payments.receipt_id')
        .where('payments.buyer', 'in', buyers)
        .where('payments.profile_id', '=', profileId),
    )
    .where(isLive)
    .execute()
  return rows.map(toPattern)
}
