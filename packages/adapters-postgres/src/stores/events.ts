import type { EventStore, JsonObject, NewEvent, StoredEvent } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, fromNow, isUuid, json, toDate, toNumberOrNull } from '../rows.ts'

/** The channel on which a schema tells of new events. */
export const eventChannel = (schema: string) => `eep_${schema}`

/** PostgreSQL takes 65,535 parameters in one statement, and an event has seven. */
const EVENTS_A_STATEMENT = 5_000

export function events(db: Db, schema: string): EventStore {
  return {
    async list({ after, limit, profileId }) {
      let query = db.selectFrom('events').selectAll().where('position', '>', after)
      if (profileId !== undefined) query = query.where('profile_id', '=', profileId)
      const rows = await query.orderBy('position').limit(limit).execute()
      return rows.map(toStoredEvent)
    },

    async listLatest({ profileId, types, limit }) {
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('type', 'in', types)
        .orderBy('position', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toStoredEvent)
    },

    async head() {
      const row = await db
        .selectFrom('events')
        .select((query) => query.fn.max('position').as('head'))
        .executeTakeFirst()
      return Number(row?.head ?? 0)
    },

    async append(events) {
      if (events.length === 0) return []
      // Positions must become visible in order, so the writers of the log take turns until they commit.
      const channel = eventChannel(schema)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${channel}.events`}, 0)), pg_notify(${channel}, '')`.execute(
        db,
      )
      const stored: StoredEvent[] = []
      for (let start = 0; start < events.length; start += EVENTS_A_STATEMENT) {
        const rows = await db
          .insertInto('events')
          .values(events.slice(start, start + EVENTS_A_STATEMENT).map(toRow))
          .returningAll()
          .execute()
        for (const row of rows) stored.push(toStoredEvent(row))
      }
      return stored.sort((left, right) => left.position - right.position)
    },

    async lease({ name, holder }, { leaseMs, start }) {
      const row = await db
        .insertInto('followers')
        .values({ name, holder, position: start, lease_until: fromNow(leaseMs) })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet((row) => ({
              holder: row.ref('excluded.holder'),
              lease_until: row.ref('excluded.lease_until'),
            }))
            .where((where) =>
              where.or([
                where('followers.holder', '=', where.ref('excluded.holder')),
                where('followers.lease_until', '<=', databaseNow),
              ]),
            ),
        )
        .returning('position')
        .executeTakeFirst()
      return row && Number(row.position)
    },

    async advance({ name, holder }, position) {
      const { numUpdatedRows } = await db
        .updateTable('followers')
        .set({ position })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/** Data that names an account does so as `accountId`, also where another caused the event. */
const accountIn = ({ accountId }: JsonObject) => (typeof accountId === 'string' && isUuid(accountId) ? accountId : null)

const toRow = (event: NewEvent) => ({
  id: event.id,
  type: event.type,
  profile_id: event.profileId,
  account_id: event.accountId,
  about_account_id: accountIn(event.data),
  data: json(event.data),
  at: event.at,
})

const toStoredEvent = (row: Row<'events'>): StoredEvent => ({
  position: Number(row.position),
  id: row.id,
  type: row.type,
  profileId: toNumberOrNull(row.profile_id),
  accountId: row.account_id,
  data: row.data,
  at: toDate(row.at),
})
