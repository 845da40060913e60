import type { CountedUse } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Adds uses to the hours they happened in, and sums up hours that are no longer reported. Keys are
 * locked in the order of their ids, so that instances that write at the same time wait for each other.
 */
export async function addUses(db: Db, schema: string, uses: readonly CountedUse[]): Promise<void> {
  if (uses.length === 0) return
  const rows = uses.map(({ keyId, count, lastUsedAt }) => ({ key_id: keyId, count, at: lastUsedAt }))
  const [keys, hours] = [sql.table(`${schema}.api_keys`), sql.table(`${schema}.api_key_uses`)]
  await sql`
    with used as (
      select key_id, date_trunc('hour', at, 'UTC') as hour, sum(count) as count, max(at) as last_at
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as use (key_id bigint, count bigint, at timestamptz)
      group by 1, 2
    ), known as (
      select id from ${keys} where id in (select key_id from used) order by id for no key update
    ), folded as (
      delete from ${hours}
      where key_id in (select id from known) and hour < statement_timestamp() - interval '31 days'
      returning key_id, count
    ), noted as (
      update ${keys} as key set
        last_used_at = greatest(key.last_used_at, (select max(last_at) from used where key_id = key.id)),
        older_uses = key.older_uses + coalesce((select sum(count) from folded where key_id = key.id), 0)
      from known where key.id = known.id
    )
    insert into ${hours} as kept (key_id, hour, count)
    select key_id, hour, count from used where key_id in (select id from known)
    on conflict (key_id, hour) do update set count = kept.count + excluded.count`.execute(db)
}
