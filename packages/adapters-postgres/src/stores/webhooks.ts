import type { PageRequest, Webhook, WebhookStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isUuid, toNumberOrNull } from '../rows.ts'
import { holdAccount } from './accounts.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { dropPending, endWait, firstDue, lockWebhook, webhookQueue } from './webhook-queue.ts'
import {
  OPEN,
  RUNNING,
  text,
  toChangedRow,
  toRow,
  toWebhook,
  type WebhookDb,
  type WebhookRow,
  webhookDb,
} from './webhook-rows.ts'

export function webhooks(database: Db): WebhookStore {
  const db = webhookDb(database)

  return {
    ...webhookQueue(db),
    ...webhookDeliveries(db),

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
        .where('pause_reason', 'is distinct from', 'key_ended')
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
      await lockWebhook(db, id)
      if (changes.status === 'active') await endWait(db, id, from)
      const row = await db
        .updateTable('webhooks')
        .set({
          ...toChangedRow(changes),
          ...(changes.status !== undefined && !isEnding && { due_at: firstDue(db, id) }),
          ...(changes.status === 'active' && { not_before: null }),
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

    async moveToKey(accountId, { from, to }) {
      if (!isUuid(accountId)) return
      await db
        .updateTable('webhooks')
        .set({ api_key_id: to })
        .where('account_id', '=', accountId)
        .where('api_key_id', '=', from)
        .execute()
    },

    async pauseOfEndedKeys(now, limit) {
      const keyless = db
        .selectFrom('webhooks')
        .select('id')
        .where('status', 'in', RUNNING)
        .where('api_key_id', 'is not', null)
        .where('pause_reason', 'is distinct from', 'key_ended')
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('api_keys')
                .select('api_keys.id')
                .whereRef('api_keys.id', '=', 'webhooks.api_key_id')
                .where('api_keys.revoked_at', 'is', null)
                .where((where) =>
                  where.or([where('api_keys.expires_at', 'is', null), where('api_keys.expires_at', '>', now)]),
                ),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit)
        .forNoKeyUpdate()
      return pauseWithoutKey(db, keyless)
    },

    async pauseOfFormerMember(accountId, sourceProfileId) {
      if (!isUuid(accountId)) return []
      const former = db
        .selectFrom('webhooks')
        .select('id')
        .where('status', 'in', RUNNING)
        .where('account_id', '=', accountId)
        .where('source_profile_id', '=', sourceProfileId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('profiles')
                .leftJoin('members', 'members.profile_id', 'profiles.id')
                .select('profiles.id')
                .where('profiles.id', '=', sourceProfileId)
                .where(({ or, eb }) =>
                  or([eb('profiles.owner_account_id', '=', accountId), eb('members.account_id', '=', accountId)]),
                ),
            ),
          ),
        )
        .where('api_key_id', 'is not', null)
        .where('pause_reason', 'is distinct from', 'key_ended')
        .orderBy('id')
        .forNoKeyUpdate()
      return pauseWithoutKey(db, former)
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
      const deleteOld = (table: string, key: string, time: string) =>
        deleteSelected(database, table, [key], (rows) => rows.where(time, '<', before).orderBy(time).limit(limit))
      const attempts = await deleteOld('webhook_attempts', 'id', 'at')
      const deliveries = await deleteOld('webhook_deliveries', 'position', 'settled_at')
      // Their deliveries and attempts are deleted with them, so those that are left are deleted first.
      const isEmptied = attempts < limit && deliveries < limit
      const ended = isEmptied ? await deleteOld('webhooks', 'id', 'ended_at') : 0
      return attempts + deliveries + ended
    },

    async eraseAccount({ id, profileIds }) {
      await db.deleteFrom('webhooks').where('account_id', '=', id).execute()
      // Webhooks of other accounts, whose source no longer exists.
      await db
        .deleteFrom('webhooks')
        .where('source_profile_id', '=', sql<number>`any(${`{${profileIds.join()}}`}::text::bigint[])`)
        .execute()
    },
  }
}

/** The columns that are cleared when a webhook ends. */
const ENDED = {
  secret: null,
  previous_secret: null,
  previous_secret_until: null,
  pending: 0,
  due_at: null,
  holder: null,
  lease_until: null,
}

type OpenWebhooks = ReturnType<typeof openWebhooks>

const openWebhooks = (db: WebhookDb) =>
  db.selectFrom('webhooks').select('id').where('status', 'in', OPEN).forNoKeyUpdate().skipLocked()

/** Ends webhooks, and deletes their secrets and pending deliveries. */
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
  return withoutPending(db, rows)
}

/** Pauses webhooks that may no longer depend on their key, and deletes their pending deliveries. */
async function pauseWithoutKey(db: WebhookDb, which: OpenWebhooks): Promise<readonly Webhook[]> {
  const rows = await db
    .updateTable('webhooks')
    .set({ status: 'paused', pause_reason: 'key_ended', pending: 0, due_at: null })
    .where('id', 'in', which)
    .where('pause_reason', 'is distinct from', 'key_ended')
    .returningAll()
    .execute()
  return withoutPending(db, rows)
}

/** Deletes the pending deliveries of webhooks, and returns these webhooks. */
async function withoutPending(db: WebhookDb, rows: readonly WebhookRow[]): Promise<readonly Webhook[]> {
  await dropPending(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(toWebhook)
}

async function listOfAccount(
  db: WebhookDb,
  accountId: string,
  request: PageRequest,
  {
    profileId,
    sourceProfileId,
  }: { readonly profileId?: number | undefined; readonly sourceProfileId?: number | undefined } = {},
) {
  let own = db
    .selectFrom('webhooks')
    .where('account_id', '=', isUuid(accountId) ? accountId : null)
    .where('status', '!=', 'cancelled')
  if (profileId !== undefined) own = own.where('profile_id', '=', profileId)
  if (sourceProfileId !== undefined) own = own.where('source_profile_id', '=', sourceProfileId)
  const counted = own.select((query) => query.fn.countAll<string>().as('count'))
  return listPage(own.selectAll().select(counted.as('total')), request, {
    order: [desc('created_at', 'moment'), desc('id', 'text')],
    item: toWebhook,
    key: ({ createdAt, id }) => [createdAt.getTime(), id],
    counted,
  })
}
