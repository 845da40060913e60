import {
  type ChangelogReader,
  compareCursors,
  EVENT_DISORDER_MS,
  type EventRetentionStore,
  type EventStore,
  type FollowerStore,
  type JsonObject,
  LOG_START,
  type NewEvent,
  type StoredEvent,
} from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { databaseNow, fromNow, isUuid, json, toDate, toNumberOrNull } from '../rows.ts'

/** The channel on which a schema announces new events. */
export const eventChannel = (schema: string) => `eep_${schema}`

/** PostgreSQL allows 65,535 parameters per statement, and an event has nine. */
const EVENTS_A_STATEMENT = 5_000

/** @param appended - called when a transaction appends events */
export function events(db: Db, appended: () => void = () => {}): EventStore {
  const currentEra = currentEraOf(db)
  const isSettled = isSettledIn(db)

  return {
    async list({ after, limit, profileId, seen }) {
      let query = db
        .selectFrom('events')
        .selectAll()
        .select([isSettled.as('settled'), sql<string>`pg_current_snapshot()::text`.as('snapshot')])
        .where(isAfter(after, profileId))
      if (profileId !== undefined) query = query.where('profile_id', '=', profileId)
      if (seen !== undefined) {
        query = query.where(sql<boolean>`not pg_visible_in_snapshot(events.xid, ${seen}::text::pg_snapshot)`)
      }
      const rows = await query.orderBy('era').orderBy('xid').orderBy('position').limit(limit).execute()
      // In this order the settled events come first.
      const firstEarly = rows.findIndex(({ settled }) => !settled)
      const stored = rows.map(toStoredEvent)
      const settled = firstEarly < 0 ? stored.length : firstEarly
      return { events: stored.slice(0, settled), early: stored.slice(settled), seen: rows[0]?.snapshot }
    },

    head: () => headOf(db),

    async append(events) {
      if (events.length === 0) return []
      const stored: StoredEvent[] = []
      for (let start = 0; start < events.length; start += EVENTS_A_STATEMENT) {
        const rows = await db
          .insertInto('events')
          .values(
            events.slice(start, start + EVENTS_A_STATEMENT).map((event) => ({ ...toRow(event), era: currentEra })),
          )
          .returningAll()
          .execute()
        rows.sort((left, right) => Number(left.position) - Number(right.position))
        for (const row of rows) stored.push(toStoredEvent(row))
      }
      appended()
      return stored
    },
  }
}

/** Retention of the log. */
export function eventRetention(db: Db): EventRetentionStore {
  return {
    async horizon() {
      const row = await db.selectFrom('event_log').select('horizon').executeTakeFirstOrThrow()
      return row.horizon
    },

    async findCursor(moment) {
      const isLater = sql<boolean>`events.at > ${moment}::timestamptz`
      const first = db.selectFrom('events').select('at').where(isLater).orderBy('at').limit(1)
      const near = db
        .selectFrom('events')
        .select(['era', 'xid', 'position'])
        .where(isLater)
        .where(sql<boolean>`events.at <= (${first}) + ${EVENT_DISORDER_MS} * interval '1 millisecond'`)
        // Without this condition, the planner may scan the log from the oldest event.
        .offset(0)
      const row = await db
        .selectFrom(near.as('events'))
        .selectAll()
        .orderBy('era')
        .orderBy('xid')
        .orderBy('position')
        .limit(1)
        .executeTakeFirst()
      return row ? cursorOf({ ...row, position: Number(row.position) - 1 }) : headOf(db)
    },

    async prune({ before, keep, heldSince, limit }) {
      // Concurrent calls wait here, so the horizon never moves backwards.
      const { horizon } = await db.selectFrom('event_log').select('horizon').forUpdate().executeTakeFirstOrThrow()
      const oldest = await db
        .selectFrom('events')
        .select(['era', 'xid', 'position', 'type', 'at'])
        .where(isAfter(horizon))
        .where(isSettledIn(db))
        .orderBy('era')
        .orderBy('xid')
        .orderBy('position')
        .limit(limit)
        .execute()
      const firstKept = oldest.findIndex(({ at }) => toDate(at) >= before)
      const looked = firstKept < 0 ? oldest : oldest.slice(0, firstKept)
      const reached = await db.selectFrom('followers').select('cursor').where('lease_until', '>=', heldSince).execute()
      const passed = looked.filter((row) => reached.every(({ cursor }) => compareCursors(cursorOf(row), cursor) <= 0))
      const last = passed.at(-1)
      if (!last) return 0
      await db
        .deleteFrom('events')
        .where(
          'position',
          'in',
          passed.map(({ position }) => position),
        )
        .where('type', 'not in', keep.length > 0 ? keep : [''])
        .execute()
      await db
        .updateTable('event_log')
        .set({ horizon: cursorOf(last) })
        .execute()
      return passed.length
    },

    async pruneKept({ before, types, limit }) {
      if (types.length === 0) return 0
      const { horizon } = await db.selectFrom('event_log').select('horizon').executeTakeFirstOrThrow()
      return deleteSelected(db, 'events', ['position'], (rows) =>
        rows
          .where('at', '<', before)
          .where('type', 'in', types)
          .where(sql<boolean>`not ${isAfter(horizon)}`)
          .orderBy('at')
          .limit(limit),
      )
    },
  }
}

async function headOf(db: Db): Promise<string> {
  const row = await db
    .selectFrom('events')
    .select(['era', 'xid', 'position'])
    .where(isSettledIn(db))
    .orderBy('era', 'desc')
    .orderBy('xid', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? cursorOf(row) : LOG_START
}

const currentEraOf = (db: Db) => db.selectFrom('event_log').select('event_log.era')

// Everything below the oldest running transaction has ended, and this snapshot shows what of it was committed.
const isSettledIn = (db: Db) => sql<boolean>`(
  ${sql.ref('events.era')} < (${currentEraOf(db)}) or ${sql.ref('events.xid')} < pg_snapshot_xmin(pg_current_snapshot())
)`

/** `era-transaction-position`; parts that are missing are 0. */
const cursorOf = ({ era, xid, position }: Pick<Row<'events'>, 'era' | 'xid' | 'position'>) =>
  `${era}-${xid}-${position}`

/**
 * Whether an event comes after a cursor. With a profile, which the statement must require as well, only the index of the events of
 * profiles fits: the planner takes few events to be after any cursor, and could search all of them for those of the profile.
 */
export function isAfter(cursor: string, profileId?: number) {
  const [era = '0', xid = '0', position = '0'] = cursor.split('-')
  const ofProfile = profileId === undefined ? [] : [sql`${profileId}::bigint`]
  const columns = [...ofProfile.map(() => 'profile_id'), 'era', 'xid', 'position'].map((name) =>
    sql.ref(`events.${name}`),
  )
  const values = [...ofProfile, sql`${era}::text::integer`, sql`${xid}::text::xid8`, sql`${position}::text::bigint`]
  return sql<boolean>`(${sql.join(columns)}) > (${sql.join(values)})`
}

/** The field of an account in event data is `accountId`, even when another account caused the event. */
const accountIn = ({ accountId }: JsonObject) => (typeof accountId === 'string' && isUuid(accountId) ? accountId : null)

const toRow = (event: NewEvent) => ({
  id: event.id,
  type: event.type,
  profile_id: event.profileId,
  account_id: event.accountId,
  about_account_id: accountIn(event.data),
  data: json(event.data),
  at: event.at,
  traceparent: event.traceparent ?? null,
  through: event.through ? json(event.through) : null,
})

export const toStoredEvent = (row: Row<'events'>): StoredEvent => ({
  cursor: cursorOf(row),
  id: row.id,
  type: row.type,
  profileId: toNumberOrNull(row.profile_id),
  accountId: row.account_id,
  data: row.data,
  at: toDate(row.at),
  ...(row.through !== null && { through: row.through }),
  ...(row.traceparent !== null && { traceparent: row.traceparent }),
})

/** The newest events of profiles. */
export function changelog(db: Db): ChangelogReader {
  return {
    async listLatest({ profileId, types, limit }) {
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where('type', 'in', types)
        .orderBy('era', 'desc')
        .orderBy('xid', 'desc')
        .orderBy('position', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toStoredEvent)
    },
  }
}

/** The durable followers of the event log. */
export function followers(db: Db): FollowerStore {
  return {
    async lease({ name, holder }, { leaseMs, start }) {
      const row = await db
        .insertInto('followers')
        .values({ name, holder, cursor: start, lease_until: fromNow(leaseMs) })
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
        .returning('cursor')
        .executeTakeFirst()
      return row?.cursor
    },

    async advance({ name, holder }, { from, to }) {
      const { numUpdatedRows } = await db
        .updateTable('followers')
        .set({ cursor: to })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .where('cursor', '=', from)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
