import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** The columns that identify an entitlement, which its grants share. */
export const ENTITLEMENT_KEY = [
  'profile_id',
  'payer_wallet_address',
  'payer_network',
  'resource_pattern',
  'audience_key',
] as const

/** The ids of the entitlements of grants; `where` of the query selects the grants. */
export const entitlementsOfGrants = (db: Db) =>
  db
    .selectFrom('grants')
    .innerJoin('entitlements as held', (join) =>
      ENTITLEMENT_KEY.reduce((on, column) => on.onRef(`grants.${column}`, '=', `held.${column}`), join),
    )
    .select('held.id')

/**
 * Locks entitlements, before their grants. The order is that in which transactions store several grants (`inLockOrder` of
 * core), so that transactions that lock some of the same entitlements do not deadlock.
 */
export const lockEntitlements = (db: Db, held: ReturnType<typeof entitlementsOfGrants>) =>
  db
    .selectFrom('entitlements')
    .select(['id', 'profile_id'])
    .where('id', 'in', held)
    .orderBy('profile_id')
    .orderBy(sql`payer_wallet_address collate "C"`)
    .orderBy(sql`payer_network collate "C"`)
    .orderBy(sql`resource_pattern collate "C"`)
    .orderBy('audience_key')
    .forUpdate()
