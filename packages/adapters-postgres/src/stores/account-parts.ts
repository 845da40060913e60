import {
  accountHolder,
  ERASED_ACCOUNT_ID,
  ERASED_DID,
  type ErasedAccount,
  type ErasurePart,
  emailHolder,
} from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { isText } from '../rows.ts'
import { eraseLikes } from './feed.ts'
import { eraseSomeNegotiations } from './negotiation-erasure.ts'
import { eraseFromPayments } from './payment-erasure.ts'
import { eraseReactions } from './reactions.ts'

/** Erases an account from at most `limit` rows, after the key that it returned as `last`. */
type Step = (limit: number, after: string | undefined) => Promise<{ readonly rows: number; readonly last?: string }>

/** Erases a part of an account, and returns where the next one begins. A step that changes fewer rows than the limit has ended. */
export async function erasePart(
  db: Db,
  schema: string,
  account: ErasedAccount,
  keptEvents: readonly string[],
  { limit, after }: ErasurePart,
): Promise<string | undefined> {
  const steps = stepsOf(db, schema, account, keptEvents)
  const [begun, key]: [number, string?] = after === undefined ? [0] : JSON.parse(after)
  for (const [index, step] of steps.entries()) {
    if (index < begun) continue
    // At most one step in a transaction, so that none changes a row twice.
    const { rows, last } = await step(limit, index === begun ? key : undefined)
    if (rows > 0) return JSON.stringify(rows < limit ? [index + 1] : [index, last])
  }
  return undefined
}

/**
 * The steps of the erasure. Rows that another transaction has locked are left for the end of the erasure. Events and what sellers
 * are found by come last, because deleted profiles of the account are found by them.
 */
function stepsOf(db: Db, schema: string, account: ErasedAccount, keptEvents: readonly string[]): readonly Step[] {
  const { id, email, emailOwned, profileIds } = account
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const uuid = sql`${id}::uuid`
  const theirs = sql`any(${`{${profileIds.join()}}`}::text::bigint[])`
  const select = (name: string, key: string, isMeant: RawBuilder<unknown>, limit: number) =>
    sql`with selected as materialized
      (select ${sql.raw(key)} from ${table(name)} where ${isMeant} limit ${limit} for update skip locked)`
  const remove =
    (name: string, key: string, isMeant: RawBuilder<unknown>): Step =>
    async (limit) => {
      const { numAffectedRows = 0n } = await sql`${select(name, key, isMeant, limit)}
        delete from ${table(name)} where (${sql.raw(key)}) in (select * from selected)`.execute(db)
      return { rows: Number(numAffectedRows) }
    }
  const change =
    (name: string, key: string, isMeant: RawBuilder<unknown>, changes: RawBuilder<unknown>): Step =>
    async (limit) => {
      const { numAffectedRows = 0n } = await sql`${select(name, key, isMeant, limit)}
        update ${table(name)} set ${changes} where (${sql.raw(key)}) in (select * from selected)`.execute(db)
      return { rows: Number(numAffectedRows) }
    }
  const counted =
    (erase: (limit: number) => Promise<number>): Step =>
    async (limit) => ({ rows: await erase(limit) })
  const own = (name: string, key: string, column = 'account_id') => remove(name, key, sql`${sql.ref(column)} = ${uuid}`)
  const clear = (name: string, key: string, column: string, changes = sql``) =>
    change(name, key, sql`${sql.ref(column)} = ${uuid}`, sql`${sql.ref(column)} = null${changes}`)

  const webhooksBy = (column: string, value: RawBuilder<unknown>): readonly Step[] => {
    const isTheirs = sql`webhook_id in (select id from ${table('webhooks')} where ${sql.ref(column)} = ${value})`
    return [
      remove('webhook_attempts', 'id', isTheirs),
      remove('webhook_deliveries', 'position', isTheirs),
      remove('webhooks', 'id', sql`${sql.ref(column)} = ${value}`),
    ]
  }
  const holders = [accountHolder(id), ...(emailOwned ? [emailHolder(email)] : [])]
  /** Conversations of which no side remains. */
  const isAbandoned = (column: string) => sql`${sql.ref(column)} = ${theirs} and not exists (
    select from ${table('profiles')} as others where others.id in (low_profile_id, high_profile_id)
      and not others.id = ${theirs})`
  const conversationsBy = (column: string): readonly Step[] => [
    remove(
      'messages',
      'conversation_id, seq',
      sql`conversation_id in (select id from ${table('conversations')} where ${isAbandoned(column)})`,
    ),
    remove('conversations', 'id', isAbandoned(column)),
  ]
  const redacted = sql`actor_did = ${ERASED_DID}, actor_salt = null, actor_account_id = null, actor_profile_id = null,
    through = null, through_salt = null, through_account_id = null, signature = redacted_signature`
  const inWorkspaces = sql`workspace_id not in (select id from ${table('workspaces')} where deleted_at is not null)`
  const clearInWorkspaces = (name: string, key: string, column: string, value: RawBuilder<unknown> = sql`null`) =>
    change(name, key, sql`${sql.ref(column)} = ${uuid} and ${inWorkspaces}`, sql`${sql.ref(column)} = ${value}`)
  const invitationsIn = (name: string): readonly Step[] => [
    own(name, 'id'),
    own(name, 'id', 'invited_by'),
    remove(name, 'id', emailOwned && isText(email) ? sql`lower(email) = lower(${email})` : sql`false`),
  ]

  return [
    ...holders.flatMap(({ payerWalletAddress, payerNetwork }) =>
      ['entitlements', 'grants'].map((name) =>
        remove(name, 'id', sql`payer_wallet_address = ${payerWalletAddress} and payer_network = ${payerNetwork}`),
      ),
    ),
    own('sessions', 'id'),
    own('tokens', 'id'),
    own('page_preview_links', 'id', 'created_by'),
    own('page_preview_links', 'id', 'owner_account_id'),
    own('idempotency_keys', 'account_id, route, key'),
    own('jobs', 'id'),
    own('site_scans', 'id'),
    own('app_connections', 'id'),
    own('app_spends', 'id'),
    own('app_spend_totals', 'account_id, currency, month, spender'),
    own('app_receipts', 'receipt_id'),
    own('transfers', 'id', 'from_account_id'),
    own('transfers', 'id', 'to_account_id'),
    own('members', 'profile_id, account_id'),
    ...invitationsIn('invitations'),
    ...invitationsIn('workspace_invitations'),
    remove(
      'api_key_uses',
      'key_id, hour',
      sql`key_id in (select id from ${table('api_keys')} where account_id = ${uuid})`,
    ),
    // An index has those that the account sees.
    ...[sql`in_app`, sql`not in_app`].flatMap((isSeen) => [
      remove(
        'notification_actors',
        'notification_id, profile_id',
        sql`notification_id in (select id from ${table('notifications')} where account_id = ${uuid} and ${isSeen})`,
      ),
      remove('notifications', 'id', sql`account_id = ${uuid} and ${isSeen}`),
    ]),
    ...webhooksBy('account_id', uuid),
    ...webhooksBy('source_profile_id', theirs),
    ...conversationsBy('low_profile_id'),
    ...conversationsBy('high_profile_id'),
    counted((limit) => eraseReactions(db, id, limit)),
    counted((limit) => eraseLikes(db, id, limit)),
    change('feed_posts', 'id', sql`account_id = ${uuid} and not profile_id = ${theirs}`, sql`account_id = null`),
    clear('files', 'id', 'account_id'),
    clear('page_drafts', 'page_id', 'updated_by'),
    clear('scheduled_publications', 'page_id', 'scheduled_by'),
    change(
      'page_versions',
      'page_id, version',
      sql`created_by = ${uuid}`,
      sql`created_by = ${ERASED_ACCOUNT_ID}::uuid, through = null`,
    ),
    clear('gate_versions', 'profile_id, version', 'changed_by'),
    clearInWorkspaces('workspace_activity', 'id', 'account_id'),
    clearInWorkspaces('workspace_activity', 'id', 'subject_account_id'),
    clearInWorkspaces(
      'workspace_document_versions',
      'document_id, version',
      'created_by',
      sql`${ERASED_ACCOUNT_ID}::uuid`,
    ),
    clearInWorkspaces('workspace_comments', 'id', 'account_id'),
    change('audit_log', 'profile_id, position', sql`actor_account_id = ${uuid}`, redacted),
    change('audit_log', 'profile_id, position', sql`actor_profile_id = ${theirs}`, redacted),
    clear('audit_log', 'profile_id, position', 'through_account_id', sql`, through = null, through_salt = null`),
    clear('notifications', 'id', 'through_account_id', sql`, through = null`),
    change(
      'admin_audit',
      'id',
      sql`target = ${`accounts/${id}`}`,
      sql`target = 'accounts/erased', before = '{}', after = '{}'`,
    ),
    clear('admin_audit', 'id', 'actor_account_id'),
    clear('reports', 'id', 'reporter_account_id', sql`, reporter_profile_id = null, reason = null, note = null`),
    change('reports', 'id', sql`reporter_profile_id = ${theirs}`, sql`reporter_profile_id = null`),
    change(
      'reports',
      'id',
      sql`reported_profile_id = ${theirs}`,
      sql`reported_profile_id = null, reason = null, note = null`,
    ),
    counted((limit) => eraseSomeNegotiations(db, account, limit)),
    clear('negotiation_moves', 'negotiation_id, version', 'account_id'),
    change(
      'reviews',
      'id',
      sql`reviewer_profile_id = ${theirs}`,
      sql`reviewer_profile_id = null, reviewer_did = ${ERASED_DID}, comment = null`,
    ),
    clear('refunds', 'receipt_id', 'refunded_by', sql`, reason = null`),
    clear('refund_claims', 'receipt_id', 'claimed_by', sql`, reason = null`),
    counted((limit) => eraseFromPayments(db, account, limit)),
    ...profileIds.map((profileId) => eventsOf(db, schema, profileId)),
    change('events', 'position', sql`about_account_id = ${id}`, sql`about_account_id = null, data = '{}'`),
    change(
      'events',
      'position',
      sql`account_id = ${id} and (profile_id is null or not profile_id = ${theirs}
        or exists (select from ${table('profiles')} as kept where kept.id = profile_id))`,
      sql`account_id = null, through = null,
        data = case when profile_id is null and type <> all(${keptEvents}::text[]) then '{}' else data end`,
    ),
  ]
}

/** Empties the events of a profile in the order of the log. */
const eventsOf =
  (db: Db, schema: string, profileId: number): Step =>
  async (limit, after) => {
    const events = sql.table(`${schema}.events`)
    const [era, xid, position] = after?.split(',') ?? ['0', '0', '0']
    const { rows } = await sql<{ key: string }>`with selected as materialized (
        select position from ${events} where profile_id = ${profileId}::bigint and data::text <> '{}'
          and (era, xid, position) > (${era}::text::int, ${xid}::text::xid8, ${position}::text::bigint)
        order by era, xid, position limit ${limit} for update
      ), changed as (
        update ${events} set data = '{}' where position in (select * from selected) returning era, xid, position
      )
      select concat_ws(',', era, xid, position) as key from changed order by changed.era, changed.xid, changed.position`.execute(
      db,
    )
    const last = rows.at(-1)?.key
    return { rows: rows.length, ...(last !== undefined && { last }) }
  }
