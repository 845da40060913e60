import type {
  JsonObject,
  NewWebhook,
  PageRequest,
  PauseReason,
  StoredEvent,
  Webhook,
  WebhookAttempt,
  WebhookChanges,
  WebhookFormat,
  WebhookHealth,
  WebhookStatus,
  WebhookStore,
} from '@eep/core/ports'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Bigint, BigintId, BigintOrNull } from '../columns.ts'
import type { Database, Db, Row } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { databaseNow, fromNow, isUuid, json, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'
import { holdAccount } from './accounts.ts'
import { isAfter, toStoredEvent } from './events.ts'

/** The tables of this group. Only this file uses them, so they are declared here. */
type WebhookTables = {
  webhooks: {
    id: string
    account_id: string
    profile_id: BigintOrNull
    source_did: string
    source_profile_id: BigintOrNull
    event_types: readonly string[]
    delivery_url: string
    delivery_format: WebhookFormat
    filter: JsonObject | null
    max_batch_size: number
    max_batch_wait_ms: number
    lease_seconds: number
    metadata: Readonly<Record<string, string>>
    tier: string | null
    fingerprint: string
    status: WebhookStatus
    pause_reason: PauseReason | null
    secret: string | null
    previous_secret: string | null
    previous_secret_until: Date | null
    failure_count: number
    created_at: Date
    verification_expires_at: Date
    expires_at: Date | null
    notice_at: Date | null
    missed_since: Date | null
    ended_at: Date | null
    pending: number
    due_at: Date | null
    holder: string | null
    lease_until: Date | null
  }
  webhook_deliveries: {
    position: BigintId
    id: string
    webhook_id: string
    event_position: Bigint
    cursor: string
    attempts: number
    is_repeat: boolean
    created_at: Date
    due_at: Date
    settled_at: Date | null
  }
  webhook_attempts: {
    id: BigintId
    webhook_id: string
    cursor: string
    attempt: number
    at: Date
    status_code: number | null
    response_time_ms: number
    outcome: WebhookAttempt['outcome']
    error: string | null
  }
}

type WebhookDb = Kysely<Database & WebhookTables>

const OPEN: readonly WebhookStatus[] = ['pending_verification', 'active', 'paused']
const RUNNING: readonly WebhookStatus[] = ['active', 'paused']

/** Deliveries have the same id whenever they are added: a UUID of version 8, made of a digest. */
const deliveryId = sql<string>`overlay(overlay(
  substr(encode(sha256(convert_to(wanted.webhook_id || ':' || wanted.event_position, 'UTF8')), 'hex'), 1, 32)
  placing '8' from 13) placing '8' from 17)::uuid`

export function webhooks(database: Db): WebhookStore {
  const db: WebhookDb = database.withTables<WebhookTables>()

  /** Locks webhooks in one order, so that transactions do not wait for each other in a circle. */
  const lock = (ids: readonly string[]) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
      .where('status', 'in', RUNNING)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()

  /** The first delivery that waits, as a column of an update. */
  const dueOf = (id: string) =>
    db
      .selectFrom('webhook_deliveries')
      .select('due_at')
      .where('webhook_id', '=', id)
      .where('settled_at', 'is', null)
      .orderBy('position')
      .limit(1)

  /**
   * Locks one webhook before `dueOf` reads its deliveries: a statement that waited for the lock would not see those that
   * another transaction added meanwhile.
   */
  const hold = (id: string) =>
    db.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

  /** Adds deliveries of events in the order given; those that wait already stay where they are. */
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
    async get(id) {
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', text(id)).executeTakeFirst()
      return row && toWebhook(row)
    },

    listOfAccount: (accountId, page, of) => listOfAccount(db, accountId, page, of),

    async listSubscribers(sources) {
      const ids = sources.filter((id) => id !== null)
      const rows = await db
        .selectFrom('webhooks')
        .select(['id', 'account_id', 'source_profile_id', 'event_types'])
        .where('status', 'in', RUNNING)
        .where('missed_since', 'is', null)
        .where((where) =>
          where.or([
            where('source_profile_id', '=', sql<number>`any(${`{${ids.join()}}`}::text::bigint[])`),
            ...(sources.includes(null) ? [where('source_profile_id', 'is', null)] : []),
          ]),
        )
        .execute()
      return rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        sourceProfileId: toNumberOrNull(row.source_profile_id),
        eventTypes: row.event_types,
      }))
    },

    async listPending(id, limit) {
      const rows = await db
        .selectFrom('webhook_deliveries as delivery')
        .leftJoin('events', 'events.position', 'delivery.event_position')
        .select(['delivery.id', 'delivery.cursor', 'delivery.attempts', 'delivery.is_repeat'])
        .select(['delivery.created_at', 'delivery.due_at'])
        .select(['events.position', 'events.era', 'events.xid', 'events.id as event_id', 'events.type'])
        .select(['events.profile_id', 'events.account_id', 'events.data', 'events.at'])
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

    async listAttempts(id, request) {
      const own = db.selectFrom('webhook_attempts').where('webhook_id', '=', text(id))
      const counted = own.select((query) => query.fn.countAll<string>().as('count'))
      const page = await listPage(own.selectAll().select(counted.as('total')), request, {
        order: [desc('id', 'number')],
        item: (row) => ({ key: Number(row.id), attempt: toAttempt(row) }),
        key: ({ key }) => [key],
        counted,
      })
      return { ...page, items: page.items.map(({ attempt }) => attempt) }
    },

    getHealth: (id, since) => getHealth(db, id, since),

    async insert(webhook, { max, maxCreated, createdSince }) {
      if (!isUuid(webhook.accountId)) return undefined
      await holdAccount(database, webhook.accountId)
      const { accountId } = webhook
      const account = await db.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
      if (!account) return undefined
      const existing = await db
        .selectFrom('webhooks')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('fingerprint', '=', webhook.fingerprint)
        .where('status', 'in', OPEN)
        .executeTakeFirst()
      if (existing) return { outcome: 'existing', webhook: toWebhook(existing) }
      const counts = await db
        .selectFrom('webhooks')
        .select([
          sql<string>`count(*) filter (where status = any(${OPEN}::text[]))`.as('open'),
          sql<string>`count(*) filter (where created_at > ${createdSince}::timestamptz)`.as('created'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      if (Number(counts.created) >= maxCreated) return { outcome: 'too_many_created' }
      if (Number(counts.open) >= max) return { outcome: 'too_many' }
      const row = await db.insertInto('webhooks').values(toRow(webhook)).returningAll().executeTakeFirstOrThrow()
      return { outcome: 'inserted', webhook: toWebhook(row) }
    },

    async update(given, from, changes) {
      const id = text(given)
      const isEnding = changes.endedAt !== undefined
      await hold(id)
      const row = await db
        .updateTable('webhooks')
        .set({
          ...toChangedRow(changes),
          ...(changes.status !== undefined && !isEnding && { due_at: dueOf(id) }),
          ...(isEnding && ENDED),
        })
        .where('id', '=', id)
        .where('status', 'in', from)
        .returningAll()
        .executeTakeFirst()
      if (row && isEnding) await dropPending(db, [id])
      return row && toWebhook(row)
    },

    async rotateSecret(id, secret, previousUntil) {
      const row = await db
        .updateTable('webhooks')
        .set((column) => ({
          previous_secret: column.ref('secret'),
          previous_secret_until: previousUntil,
          secret,
        }))
        .where('id', '=', text(id))
        .where('status', 'in', OPEN)
        .returningAll()
        .executeTakeFirst()
      return row && toWebhook(row)
    },

    async cancelOfAccount(accountId, at) {
      if (!isUuid(accountId)) return 0
      return (await end(db, 'cancelled', at, (open) => open.where('account_id', '=', accountId))).length
    },

    async enqueue(events, { now, maxPending }) {
      const locked = await lock([...new Set(events.map(({ webhookId }) => webhookId))])
      const taking = new Set<string>()
      const full: string[] = []
      for (const { id, pending, missed_since } of locked) {
        if (missed_since !== null) continue
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
          // One that its owner paused stays so, and says that it misses events.
          pause_reason: sql<PauseReason>`case when status = 'active' then 'backlog' else pause_reason end`,
        })
        .where('id', 'in', full)
        .returningAll()
        .execute()
      return rows.map(toWebhook)
    },

    async redeliver(id, cursors, now) {
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
        await db.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).where('cursor', 'in', settled).execute()
        const events = settled.map((cursor) => ({ webhookId: id, cursor }))
        await count(await add(events, now, true), now)
      }
      return known.map(({ cursor }) => cursor)
    },

    async replay(id, { since, until, types }, { now, max }) {
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
        .limit(max)
        .execute()
      if (found.length === 0) return 0
      const cursors = found.map(({ cursor }) => cursor)
      await db
        .deleteFrom('webhook_deliveries')
        .where('webhook_id', '=', id)
        .where('settled_at', 'is not', null)
        .where('cursor', '=', sql<string>`any(${cursors}::text[])`)
        .execute()
      const events = cursors.map((cursor) => ({ webhookId: id, cursor }))
      await count(await add(events, now, true), now)
      return cursors.length
    },

    async claim(holder, { now, limit, leaseMs }) {
      const due = db
        .selectFrom('webhooks')
        .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
        .select('webhooks.id')
        .where('webhooks.status', 'in', ['active', 'pending_verification'])
        .where('webhooks.due_at', '<=', now)
        .where((where) =>
          where.or([where('webhooks.lease_until', 'is', null), where('webhooks.lease_until', '<=', databaseNow)]),
        )
        .where('accounts.banned_at', 'is', null)
        .where('accounts.deletion_scheduled_at', 'is', null)
        .orderBy('webhooks.due_at')
        .limit(limit)
        .forNoKeyUpdate('webhooks')
        .skipLocked()
      const rows = await db
        .updateTable('webhooks')
        .set({ holder, lease_until: fromNow(leaseMs) })
        .where('id', 'in', due)
        .returningAll()
        .execute()
      return rows.map(toWebhook)
    },

    async hold({ webhookId, holder }, leaseMs) {
      const { numUpdatedRows } = await db
        .updateTable('webhooks')
        .set({ holder, lease_until: fromNow(leaseMs) })
        .where('id', '=', text(webhookId))
        .where('status', 'in', OPEN)
        .where((where) =>
          where.or([
            where('holder', '=', holder),
            where('lease_until', 'is', null),
            where('lease_until', '<=', databaseNow),
          ]),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async report({ webhookId: id, holder }, { attempts, settled, dropped, retried, failures }, leaseMs) {
      const held = await db
        .selectFrom('webhooks')
        .select('id')
        .where('id', '=', text(id))
        .where('holder', '=', holder)
        .where('status', 'in', RUNNING)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!held) return undefined
      if (attempts.length > 0) await insertAttempts(db, id, attempts)
      let done = 0n
      const waiting = { id: (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[]::uuid[])` }
      if (settled.length > 0) {
        const { numUpdatedRows } = await db
          .updateTable('webhook_deliveries')
          .set({ settled_at: databaseNow })
          .where('webhook_id', '=', id)
          .where('id', '=', waiting.id(settled))
          .where('settled_at', 'is', null)
          .executeTakeFirst()
        done += numUpdatedRows
      }
      if (dropped.length > 0) {
        const { numDeletedRows } = await db
          .deleteFrom('webhook_deliveries')
          .where('webhook_id', '=', id)
          .where('id', '=', waiting.id(dropped))
          .where('settled_at', 'is', null)
          .executeTakeFirst()
        done += numDeletedRows
      }
      if (retried && retried.ids.length > 0) {
        await db
          .updateTable('webhook_deliveries')
          .set({ attempts: sql<number>`attempts + 1`, due_at: retried.at })
          .where('webhook_id', '=', id)
          .where('id', '=', waiting.id(retried.ids))
          .where('settled_at', 'is', null)
          .execute()
      }
      const row = await db
        .updateTable('webhooks')
        .set({
          pending: sql<number>`pending - ${Number(done)}::integer`,
          lease_until: fromNow(leaseMs),
          ...(failures === 'reset' && { failure_count: 0 }),
          ...(failures === 'raise' && { failure_count: sql<number>`failure_count + 1` }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toWebhook(row)
    },

    async release({ webhookId, holder }, notBefore) {
      const id = text(webhookId)
      await hold(id)
      const due = dueOf(id)
      await db
        .updateTable('webhooks')
        .set({
          holder: null,
          lease_until: null,
          // A batch may have become full meanwhile.
          due_at:
            notBefore === undefined
              ? due
              : sql<Date | null>`case
                  when pending >= max_batch_size and max_batch_size > 1 then ${due}
                  else greatest(${due}, ${notBefore}::timestamptz)
                end`,
        })
        .where('id', '=', id)
        .where('holder', '=', holder)
        // One that is not verified yet is due until it is.
        .where('status', '!=', 'pending_verification')
        .execute()
    },

    async expire(now, limit) {
      return end(db, 'expired', now, (open) => open.where('expires_at', '<=', now).orderBy('expires_at').limit(limit))
    },

    async takeNotices(now, limit) {
      const due = db
        .selectFrom('webhooks')
        .select('id')
        .where('status', 'in', RUNNING)
        .where('notice_at', '<=', now)
        .orderBy('notice_at')
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked()
      const rows = await db
        .updateTable('webhooks')
        .set({ notice_at: null })
        .where('id', 'in', due)
        .returningAll()
        .execute()
      return rows.map(toWebhook)
    },

    async prune(before, limit) {
      const attempts = await db
        .deleteFrom('webhook_attempts')
        .where(
          'id',
          'in',
          db.selectFrom('webhook_attempts').select('id').where('at', '<', before).orderBy('at').limit(limit),
        )
        .executeTakeFirst()
      const settled = db
        .selectFrom('webhook_deliveries')
        .select('position')
        .where('settled_at', '<', before)
        .orderBy('settled_at')
        .limit(limit)
      const deliveries = await db.deleteFrom('webhook_deliveries').where('position', 'in', settled).executeTakeFirst()
      const ended = await db
        .deleteFrom('webhooks')
        .where(
          'id',
          'in',
          db.selectFrom('webhooks').select('id').where('ended_at', '<', before).orderBy('ended_at').limit(limit),
        )
        .executeTakeFirst()
      return Number(attempts.numDeletedRows + deliveries.numDeletedRows + ended.numDeletedRows)
    },

    async eraseAccount({ id, profileIds }) {
      await db.deleteFrom('webhooks').where('account_id', '=', id).execute()
      // The webhooks of others name a profile that is gone.
      await db
        .deleteFrom('webhooks')
        .where('source_profile_id', '=', sql<number>`any(${`{${profileIds.join()}}`}::text::bigint[])`)
        .execute()
    },
  }
}

/** What goes with a webhook that ends. */
const ENDED = {
  secret: null,
  previous_secret: null,
  previous_secret_until: null,
  pending: 0,
  due_at: null,
  holder: null,
  lease_until: null,
}

/** No text of PostgreSQL holds the character 0, and no id does. */
const text = (id: string) => (id.includes('\0') ? '' : id)

const positionIn = (cursor: string) => cursor.split('-')[2] ?? '0'

type OpenWebhooks = ReturnType<typeof openWebhooks>

const openWebhooks = (db: WebhookDb) =>
  db.selectFrom('webhooks').select('id').where('status', 'in', OPEN).forNoKeyUpdate().skipLocked()

/** Ends webhooks; their secrets and the deliveries that wait go with it. */
async function end(
  db: WebhookDb,
  status: 'expired' | 'cancelled',
  at: Date,
  which: (open: OpenWebhooks) => OpenWebhooks,
): Promise<readonly Webhook[]> {
  const rows = await db
    .updateTable('webhooks')
    .set({
      status,
      ended_at: at,
      ...ENDED,
    })
    .where('id', 'in', which(openWebhooks(db)))
    .returningAll()
    .execute()
  await dropPending(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(toWebhook)
}

async function dropPending(db: WebhookDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('webhook_deliveries').where('webhook_id', 'in', ids).where('settled_at', 'is', null).execute()
}

async function listOfAccount(
  db: WebhookDb,
  accountId: string,
  request: PageRequest,
  { profileId }: { readonly profileId?: number | undefined } = {},
) {
  let own = db
    .selectFrom('webhooks')
    .where('account_id', '=', isUuid(accountId) ? accountId : null)
    .where('status', '!=', 'cancelled')
  if (profileId !== undefined) own = own.where('profile_id', '=', profileId)
  const counted = own.select((query) => query.fn.countAll<string>().as('count'))
  return listPage(own.selectAll().select(counted.as('total')), request, {
    order: [desc('created_at', 'moment'), desc('id', 'text')],
    item: toWebhook,
    key: ({ createdAt, id }) => [createdAt.getTime(), id],
    counted,
  })
}

async function getHealth(db: WebhookDb, id: string, since: Date): Promise<WebhookHealth> {
  const own = db.selectFrom('webhook_attempts').where('webhook_id', '=', text(id)).where('at', '>=', since)
  const figures = await own
    .select([
      sql<string>`count(*) filter (where outcome = 'delivered')`.as('delivered'),
      sql<string>`count(*) filter (where outcome <> 'delivered')`.as('failed'),
      sql<number | string | null>`percentile_disc(0.95) within group (order by response_time_ms)
        filter (where status_code is not null)`.as('p95'),
    ])
    .executeTakeFirstOrThrow()
  const last = await own
    .selectAll()
    .where('outcome', '!=', 'delivered')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    delivered: Number(figures.delivered),
    failed: Number(figures.failed),
    p95Ms: toNumberOrNull(figures.p95),
    lastFailure: last ? toAttempt(last) : null,
  }
}

async function insertAttempts(db: WebhookDb, id: string, attempts: readonly WebhookAttempt[]): Promise<void> {
  await db
    .insertInto('webhook_attempts')
    .values(
      attempts.map((attempt) => ({
        webhook_id: id,
        cursor: attempt.cursor,
        attempt: attempt.attempt,
        at: attempt.at,
        status_code: attempt.statusCode,
        response_time_ms: attempt.responseTimeMs,
        outcome: attempt.outcome,
        error: attempt.error,
      })),
    )
    .execute()
}

const toRow = (webhook: NewWebhook) => ({
  id: webhook.id,
  account_id: webhook.accountId,
  profile_id: webhook.profileId,
  source_did: webhook.sourceDid,
  source_profile_id: webhook.sourceProfileId,
  event_types: json(webhook.eventTypes),
  delivery_url: webhook.deliveryUrl,
  delivery_format: webhook.deliveryFormat,
  filter: webhook.filter && json(webhook.filter),
  max_batch_size: webhook.maxBatchSize,
  max_batch_wait_ms: webhook.maxBatchWaitMs,
  lease_seconds: webhook.leaseSeconds,
  metadata: json(webhook.metadata),
  tier: webhook.tier,
  fingerprint: webhook.fingerprint,
  status: 'pending_verification' as const,
  secret: webhook.secret,
  created_at: webhook.createdAt,
  verification_expires_at: webhook.verificationExpiresAt,
  due_at: webhook.createdAt,
  failure_count: 0,
  pending: 0,
  pause_reason: null,
  previous_secret: null,
  previous_secret_until: null,
  expires_at: null,
  notice_at: null,
  missed_since: null,
  ended_at: null,
  holder: null,
  lease_until: null,
})

const COLUMNS = {
  deliveryFormat: 'delivery_format',
  maxBatchSize: 'max_batch_size',
  maxBatchWaitMs: 'max_batch_wait_ms',
  leaseSeconds: 'lease_seconds',
  tier: 'tier',
  status: 'status',
  pauseReason: 'pause_reason',
  failureCount: 'failure_count',
  expiresAt: 'expires_at',
  noticeAt: 'notice_at',
  missedSince: 'missed_since',
  endedAt: 'ended_at',
} as const

const toChangedRow = ({ filter, metadata, ...changes }: WebhookChanges) => ({
  ...Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([name, column]) => {
      const value = changes[name as keyof typeof COLUMNS]
      return value === undefined ? [] : [[column, value]]
    }),
  ),
  ...(filter !== undefined && { filter: filter && json(filter) }),
  ...(metadata !== undefined && { metadata: json(metadata) }),
})

const toWebhook = (row: Selectable<WebhookTables['webhooks']>): Webhook => ({
  id: row.id,
  accountId: row.account_id,
  profileId: toNumberOrNull(row.profile_id),
  sourceDid: row.source_did,
  sourceProfileId: toNumberOrNull(row.source_profile_id),
  eventTypes: row.event_types,
  deliveryUrl: row.delivery_url,
  deliveryFormat: row.delivery_format,
  filter: row.filter,
  maxBatchSize: row.max_batch_size,
  maxBatchWaitMs: row.max_batch_wait_ms,
  leaseSeconds: row.lease_seconds,
  metadata: row.metadata,
  tier: row.tier,
  fingerprint: row.fingerprint,
  status: row.status,
  pauseReason: row.pause_reason,
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousSecretUntil: toDateOrNull(row.previous_secret_until),
  failureCount: row.failure_count,
  createdAt: toDate(row.created_at),
  verificationExpiresAt: toDate(row.verification_expires_at),
  expiresAt: toDateOrNull(row.expires_at),
  missedSince: toDateOrNull(row.missed_since),
  pending: row.pending,
})

const toAttempt = (row: Selectable<WebhookTables['webhook_attempts']>): WebhookAttempt => ({
  cursor: row.cursor,
  attempt: row.attempt,
  at: toDate(row.at),
  statusCode: row.status_code,
  responseTimeMs: row.response_time_ms,
  outcome: row.outcome,
  error: row.error,
})

/** The event of a joined row, which has one. */
const eventOf = (
  row: { readonly event_id: string | null } & { readonly [Column in keyof Row<'events'>]?: unknown },
): StoredEvent => toStoredEvent({ ...row, id: row.event_id } as Row<'events'>)
