import type { MoneyKind, StoredMoney } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from './database.ts'

type Decide = (stored: StoredMoney) => MoneyKind

/** Returns the kind of money in the settings of the service. The first call stores it; concurrent calls wait for its row. */
export async function bindMoneyKind(db: Db, decide: Decide): Promise<MoneyKind> {
  const known = await db.selectFrom('service_settings').select('money_kind').executeTakeFirstOrThrow()
  return known.money_kind ?? db.transaction().execute((trx) => bindIn(trx, decide))
}

/** The same in a transaction. */
export async function bindIn(trx: Db, decide: Decide): Promise<MoneyKind> {
  const row = await trx.selectFrom('service_settings').select('money_kind').forUpdate().executeTakeFirstOrThrow()
  if (row.money_kind) return row.money_kind
  const kind = decide(await readStored(trx))
  await trx.updateTable('service_settings').set({ money_kind: kind }).execute()
  return kind
}

async function readStored(db: Db): Promise<StoredMoney> {
  const accounts = await db.selectFrom('accounts').select('id').limit(1).execute()
  const networks = await db
    .selectFrom('receipts')
    .select(['settlement_network as network', sql<string>`count(*)`.as('count')])
    .groupBy('settlement_network')
    .unionAll(
      db
        .selectFrom('payments')
        .select([sql<string>`payer ->> 'network'`.as('network'), sql<string>`count(*)`.as('count')])
        .where('state', 'in', ['settling', 'unknown'])
        .where(sql<string>`payer ->> 'network'`, 'is not', null)
        .groupBy(sql`payer ->> 'network'`),
    )
    .execute()
  const payments: Record<string, number> = {}
  for (const { network, count } of networks) payments[network] = (payments[network] ?? 0) + Number(count)
  return { hasAccounts: accounts.length > 0, payments }
}
