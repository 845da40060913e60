import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { databaseNow } from '../rows.ts'

/** Whether an entitlement was neither revoked nor has expired by the clock of the database. */
export const isActive = (where: ExpressionBuilder<Database, 'entitlements'>) =>
  where.and([
    where('revoked_at', 'is', null),
    where.or([where('valid_until', 'is', null), where('valid_until', '>', databaseNow)]),
  ])
