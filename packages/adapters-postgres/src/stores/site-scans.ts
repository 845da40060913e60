import type { SiteScanStore } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { isUuid, toDate } from '../rows.ts'

/** The tables of this group. Only this file uses them, so they are declared here. */
type SiteScanTables = {
  site_scans: { id: string; account_id: string; host: string; requested_at: Date }
  site_scan_hosts: { host: string; scan_id: string; held_until: Date }
}

interface Hold {
  readonly id: string
  readonly host: string
  readonly at: Date
  readonly until: Date
}

export function siteScans(database: Db): SiteScanStore {
  const db: Kysely<Database & SiteScanTables> = database.withTables<SiteScanTables>()

  /** Holds a host for a scan, unless another scan holds it at this time. */
  async function hold({ id, host, at, until }: Hold): Promise<boolean> {
    const row = await db
      .insertInto('site_scan_hosts')
      .values({ host, scan_id: id, held_until: until })
      .onConflict((conflict) =>
        conflict
          .column('host')
          .doUpdateSet({ scan_id: id, held_until: until })
          .where((where) =>
            where.or([where('site_scan_hosts.held_until', '<=', at), where('site_scan_hosts.scan_id', '=', id)]),
          ),
      )
      .returning('host')
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    async accept({ id, accountId, host, requestedAt }, { since, limit, heldUntil }) {
      if (!isUuid(accountId)) return undefined
      const account = await db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', accountId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!account) return undefined
      const { count, oldest } = await db
        .selectFrom('site_scans')
        .select((from) => [from.fn.countAll<string>().as('count'), sql<Date | null>`min(requested_at)`.as('oldest')])
        .where('account_id', '=', accountId)
        .where('requested_at', '>=', since)
        .executeTakeFirstOrThrow()
      if (oldest !== null && Number(count) >= limit) return { outcome: 'limit_reached', oldestAt: toDate(oldest) }

      await db.insertInto('site_scans').values({ id, account_id: accountId, host, requested_at: requestedAt }).execute()
      if (await hold({ id, host, at: requestedAt, until: heldUntil })) return { outcome: 'accepted' }
      await db.deleteFrom('site_scans').where('id', '=', id).execute()
      return { outcome: 'host_held' }
    },

    async hold(id, at, until) {
      if (!isUuid(id)) return false
      const scan = await db
        .selectFrom('site_scans')
        .select('host')
        .where('id', '=', id)
        .forKeyShare()
        .executeTakeFirst()
      return scan ? hold({ id, host: scan.host, at, until }) : false
    },

    async release(id) {
      if (isUuid(id)) await db.deleteFrom('site_scan_hosts').where('scan_id', '=', id).execute()
    },

    async deleteOld(before, limit) {
      await deleteSelected(database, 'site_scan_hosts', ['host'], (rows) =>
        rows.where('held_until', '<', before).limit(limit),
      )
      return deleteSelected(database, 'site_scans', ['id'], (rows) =>
        rows.where('requested_at', '<', before).orderBy('requested_at').limit(limit),
      )
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('site_scans').where('account_id', '=', id).execute()
    },
  }
}
