import type { PauseReason, StoredEvent, WebhookStatus, WebhookStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Row } from '../database.ts'
import { toDate, toNumberOrNull } from '../rows.ts'
import { isAfter, toStoredEvent } from './events.ts'
import { RUNNING, text, toWebhook, type WebhookDb } from './webhook-rows.ts'

/** Deliveries have the same id whenever they are added: a UUID of version 8, made of a digest. */
const deliveryId = sql<string>`overlay(overlay(
  substr(encode(sha256(convert_to(wanted.webhook_id || ':' || wanted.event_position, 'UTF8')), 'hex'), 1, 32)
  placing '8' from 13) placing '8' from 17)::uuid`

/** The pending deliveries: the queue of each webhook. */
export function webhookQueue(db: WebhookDb): Pick<WebhookStore, 'listPending' | 'enqueue' | 'redeliver' | 'replay'> {
  /** Locks webhooks in a fixed order to avoid deadlocks. */
  const lock = (ids: readonly string[]) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
      .where('status', 'in', RUNNING)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()

  /** Adds deliveries of events in the order given; pending ones keep their place. */
  async function add(
    events: readonly { readonly webhookId: string; readonly cursor: string }[],
    now: Date,
    isRepeat: boolean,
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await db
      .insertInto('webhook_deliveries')
      .columns(['id', 'webhook_id', 'event_position', 'cursor', 'is_repeat', 'created_at', 'due_at'])
      .expression((build) =>
        build
          .selectFrom(
            sql<{ webhook_id: string; event_position: number; cursor: string; place: number }>`unnest(
              ${events.map(({ webhookId }) => webhookId)}::text[],
              ${events.map(({ cursor }) => positionIn(cursor))}::text[]::bigint[],
              ${events.map(({ cursor }) => cursor)}::text[]
            ) with ordinality`.as<'wanted'>(sql`wanted (webhook_id, event_position, cursor, place)`),
          )
          .select([
            deliveryId.as('id'),
            'wanted.webhook_id',
            'wanted.event_position',
            'wanted.cursor',
            sql<boolean>`${isRepeat}::boolean`.as('is_repeat'),
            sql<Date>`${now}::timestamptz`.as('created_at'),
            sql<Date>`${now}::timestamptz`.as('due_at'),
          ])
          .orderBy('wanted.place'),
      )
      .onConflict((conflict) => conflict.columns(['webhook_id', 'event_position']).doNothing())
      .returning('webhook_id')
      .execute()
    const counts = new Map<string, number>()
    for (const { webhook_id } of rows) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + 1)
    return counts
  }

  /** Counts deliveries that were added, and makes their webhooks due. */
  async function count(added: ReadonlyMap<string, number>, now: Date): Promise<void> {
    if (added.size === 0) return
    await db
      .updateTable('webhooks')
      .from(
        sql<{ id: string; added: number }>`unnest(
          ${[...added.keys()]}::text[], ${[...added.values()].map(String)}::text[]::integer[]
        )`.as<'news'>(sql`news (id, added)`),
      )
      .set({
        pending: sql<number>`webhooks.pending + news.added`,
        // A batch that is full does not wait any longer.
        due_at: sql<Date>`case
          when webhooks.pending = 0
            or webhooks.max_batch_size between 2 and webhooks.pending + news.added then ${now}::timestamptz
          else webhooks.due_at
        end`,
      })
      .whereRef('webhooks.id', '=', 'news.id')
      .execute()
  }

  return {
    async listPending(id, limit) {
      const rows = await db
        .selectFrom('webhook_deliveries as delivery')
        .leftJoin('events', 'events.position', 'delivery.event_position')
        .select(['delivery.id', 'delivery.cursor', 'delivery.attempts', 'delivery.is_repeat'])
        .select(['delivery.created_at', 'delivery.due_at'])
        .select(['events.position', 'events.era', 'events.xid', 'events.id as event_id', 'events.type'])
        .select([
          'events.profile_id',
          'events.account_id',
          'events.data',
          'events.at',
          'events.traceparent',
          'events.through',
        ])
        .where('delivery.webhook_id', '=', text(id))
        .where('delivery.settled_at', 'is', null)
        .orderBy('delivery.position')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        cursor: row.cursor,
        event: row.event_id === null ? undefined : eventOf(row),
        attempts: row.attempts,
        isRepeat: row.is_repeat,
        createdAt: toDate(row.created_at),
        dueAt: toDate(row.due_at),
      }))
    },

    async enqueue(events, { now, maxPending }) {
      const locked = await lock([...new Set(events.map(({ webhookId }) => webhookId))])
      const taking = new Set<string>()
      const full: string[] = []
      for (const { id, pending, missed_since, pause_reason } of locked) {
        if (missed_since !== null || pause_reason === 'key_ended') continue
        if (pending < maxPending) taking.add(id)
        else full.push(id)
      }
      const wanted = events.filter(({ webhookId }) => taking.has(webhookId))
      if (wanted.length > 0) await count(await add(wanted, now, false), now)
      if (full.length === 0) return []
      const rows = await db
        .updateTable('webhooks')
        .set({
          status: 'paused',
          missed_since: now,
          // A webhook that its owner paused stays paused, and records that it misses events.
          pause_reason: sql<PauseReason>`case when status = 'active' then 'backlog' else pause_reason end`,
        })
        .where('id', 'in', full)
        .returningAll()
        .execute()
      return rows.map(toWebhook)
    },

    async redeliver(id, cursors, { now, maxPending }) {
      const [locked] = await lock([text(id)])
      if (!locked || cursors.length === 0) return []
      const known = await db
        .selectFrom('webhook_deliveries as delivery')
        .innerJoin('events', 'events.position', 'delivery.event_position')
        .select(['delivery.cursor', 'delivery.settled_at'])
        .where('delivery.webhook_id', '=', id)
        .where('delivery.cursor', '=', sql<string>`any(${[...cursors]}::text[])`)
        .orderBy('events.era')
        .orderBy('events.xid')
        .orderBy('events.position')
        .execute()
      const settled = known.filter((row) => row.settled_at !== null).map(({ cursor }) => cursor)
      if (settled.length > 0) {
        if (locked.pending + settled.length > maxPending) return undefined
        await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).where('cursor', 'in', settled).execute()
        const events = settled.map((cursor) => ({ webhookId: id, cursor }))
        await count(await add(events, now, true), now)
      }
      return known.map(({ cursor }) => cursor)
    },

    async replay(id, { since, until, types }, { now, maxPending }) {
      const [locked] = await lock([text(id)])
      if (!locked || types.length === 0) return 0
      const sourceId = toNumberOrNull(locked.source_profile_id)
      const found = await db
        .selectFrom('events')
        .select(sql<string>`events.era || '-' || events.xid || '-' || events.position`.as('cursor'))
        .where('type', 'in', types)
        .where('profile_id', sourceId === null ? 'is' : '=', sourceId)
        // Events of the service itself are about accounts: those of others are neither queued nor counted.
        .$if(sourceId === null, (query) =>
          query.where((where) =>
            where.or([
              where('account_id', '=', locked.account_id),
              where('about_account_id', '=', locked.account_id),
              where.and([where('account_id', 'is', null), where('about_account_id', 'is', null)]),
            ]),
          ),
        )
        .where('at', '>=', since)
        .where((where) => where.not(isAfter(until)))
        .orderBy('era')
        .orderBy('xid')
        .orderBy('position')
        .limit(maxPending)
        .execute()
      if (found.length === 0) return 0
      const cursors = found.map(({ cursor }) => cursor)
      const ofWebhook = (wanted: readonly string[]) => sql<string>`any(${[...wanted]}::text[])`
      const waiting = await db
        .selectFrom('webhook_deliveries')
        .select('cursor')
        .where('webhook_id', '=', id)
        .where('settled_at', 'is', null)
        .where('cursor', '=', ofWebhook(cursors))
        .execute()
      const isWaiting = new Set(waiting.map(({ cursor }) => cursor))
      const missing = cursors.filter((cursor) => !isWaiting.has(cursor))
      if (missing.length === 0) return cursors.length
      const added = missing.slice(0, Math.max(maxPending - locked.pending, 0))
      if (added.length === 0) return undefined
      await db
        .deleteFrom('webhook_deliveries')
        .where('webhook_id', '=', id)
        .where('settled_at', 'is not', null)
        .where('cursor', '=', ofWebhook(added))
        .execute()
      const events = added.map((cursor) => ({ webhookId: id, cursor }))
      await count(await add(events, now, true), now)
      return isWaiting.size + added.length
    },
  }
}

/** The first pending delivery, as a column of an update. Lock the webhook before. */
export const firstDue = (db: WebhookDb, id: string) =>
  db
    .selectFrom('webhook_deliveries')
    .select('due_at')
    .where('webhook_id', '=', id)
    .where('settled_at', 'is', null)
    .orderBy('position')
    .limit(1)

/**
 * Locks one webhook before `firstDue` reads its deliveries: a statement that waited for the lock would not see those that
 * another transaction added meanwhile.
 */
export const lockWebhook = (db: WebhookDb, id: string) =>
  db.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Makes the failed deliveries of a locked webhook in one of these states due: the owner knows that the receiver is ready. */
export async function endWait(db: WebhookDb, id: string, from: readonly WebhookStatus[]): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set(({ ref }) => ({ due_at: ref('created_at') }))
    .where('webhook_id', '=', id)
    .where('settled_at', 'is', null)
    .whereRef('due_at', '>', 'created_at')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('webhooks').select('webhooks.id').where('webhooks.id', '=', id).where('status', 'in', from)),
    )
    .execute()
}

/** Deletes the pending deliveries of webhooks. */
export async function dropPending(db: WebhookDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('webhook_deliveries').where('webhook_id', 'in', ids).where('settled_at', 'is', null).execute()
}

const positionIn = (cursor: string) => cursor.split('-')[2] ?? '0'

/** The event of a joined row, which has one. */
const eventOf = (
  row: { readonly event_id: string | null } & { readonly [Column in keyof Row<'events'>]?: unknown },
): StoredEvent => toStoredEvent({ ...row, id: row.event_id } as Row<'events'>)
