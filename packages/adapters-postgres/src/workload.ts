import type { StorageWorkload } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Deliveries are counted up to this number: that is enough to show a backlog, and a larger one takes too long to count. */
const MAX_COUNTED = 100_000

/** Followers that were not leased for this long belong to modules or hosts that do not run any more. */
const LEASED_WITHIN = '1 hour'

/** Reads the sizes of queues. Each part has a partial index of its open rows, or is a table of a few rows. */
export async function readWorkload(db: Db, schema: string): Promise<StorageWorkload> {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const age = sql`greatest(0, extract(epoch from clock_timestamp() - min(created_at)))::float8`
  const { rows } = await sql<{ workload: StorageWorkload }>`
    select json_build_object(
      'payments', (
        select coalesce(json_agg(open), '[]') from (
          select rail, state, reason, count(*)::float8 as count, ${age} as "oldestSeconds"
          from ${table('payments')} where state in ('settling', 'unknown') group by rail, state, reason
        ) open
      ),
      'jobs', (
        select coalesce(json_agg(open), '[]') from (
          select kind, status, count(*)::float8 as count, ${age} as "oldestSeconds"
          from ${table('jobs')} where finished_at is null group by kind, status
        ) open
      ),
      'deliveries', (
        select count(*)::float8 from (
          select from ${table('webhook_deliveries')} where settled_at is null limit ${MAX_COUNTED}
        ) waiting
      ),
      'followers', (
        select coalesce(json_agg(follower), '[]') from (
          select name, coalesce((
            select greatest(0, extract(epoch from clock_timestamp() - events.at))::float8
            from ${table('events')} events
            where (events.era, events.xid, events.position) > (
              split_part(followers.cursor, '-', 1)::integer,
              coalesce(nullif(split_part(followers.cursor, '-', 2), ''), '0')::xid8,
              coalesce(nullif(split_part(followers.cursor, '-', 3), ''), '0')::bigint
            )
            order by events.era, events.xid, events.position limit 1
          ), 0) as "lagSeconds"
          from ${table('followers')} followers
          where lease_until > clock_timestamp() - ${LEASED_WITHIN}::interval
        ) follower
      )
    ) as workload
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('A statement without a from clause returned no row')
  return row.workload
}
