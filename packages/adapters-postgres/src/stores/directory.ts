import type { AccountQuery, DirectoryReader, ListedAccount, ServiceNumbers } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { isText, isUuid, toDateOrNull } from '../rows.ts'
import { toAccount } from './accounts.ts'
import { isLive } from './subscription-rows.ts'

/** Queries for administrators. */
export const directory = (db: Db): DirectoryReader => ({
  async listAccounts(query, request) {
    const { text = '', email = '' } = query
    if (!isText(text, email)) return { items: [], total: 0 }
    const found = matching(db, query)
    const total = found.select(({ fn }) => fn.countAll<number | string>().as('count'))
    const listed = withSubscription(found).select(total.as('total'))
    return listPage(listed, request, {
      order: [desc('accounts.created_at', 'moment'), desc('accounts.id', 'uuid')],
      item: toListedAccount,
      key: ({ account }) => [account.createdAt.getTime(), account.id],
      counted: total,
    })
  },

  async getAccount(id) {
    if (!isUuid(id)) return undefined
    const row = await withSubscription(db.selectFrom('accounts').where('accounts.id', '=', id)).executeTakeFirst()
    return row && toListedAccount(row)
  },

  measure: (since) => measure(db, since),
})

const LIKE_SIGNS = /[\\%_]/g

function matching(db: Db, { text, email, tier, banned, isAdmin }: AccountQuery) {
  let found = db.selectFrom('accounts')
  if (email !== undefined) found = found.where(sql<boolean>`lower(accounts.email) = lower(${email})`)
  if (text !== undefined) {
    const pattern = `%${text.replaceAll(LIKE_SIGNS, '\\$&')}%`
    found = found.where((where) =>
      where.or([
        where('accounts.email', 'ilike', pattern),
        where('accounts.username', 'ilike', pattern),
        ...(isUuid(text) ? [where('accounts.id', '=', text)] : []),
      ]),
    )
  }
  if (tier !== undefined) found = found.where('accounts.tier', '=', tier)
  if (banned !== undefined) found = found.where('banned_at', banned ? 'is not' : 'is', null)
  if (isAdmin !== undefined) found = found.where('is_admin', '=', isAdmin)
  return found
}

const withSubscription = (accounts: ReturnType<typeof matching>) =>
  accounts
    .leftJoin('subscriptions', (join) => join.onRef('subscriptions.account_id', '=', 'accounts.id').on(isLive))
    .selectAll('accounts')
    .select([
      'subscriptions.tier as subscribed_tier',
      'subscriptions.processor as subscribed_at',
      'subscriptions.status as subscription_status',
      'subscriptions.current_period_end as subscribed_until',
    ])

type ListedRow = Row<'accounts'> & {
  readonly subscribed_tier: Row<'subscriptions'>['tier'] | null
  readonly subscribed_at: string | null
  readonly subscription_status: Row<'subscriptions'>['status'] | null
  readonly subscribed_until: Date | null
}

const toListedAccount = (row: ListedRow): ListedAccount => {
  const { subscribed_tier: tier, subscribed_at: processor, subscription_status: status } = row
  const subscribed = tier !== null && processor !== null && status !== null
  return {
    account: toAccount(row),
    subscription: subscribed ? { tier, processor, status, currentPeriodEnd: toDateOrNull(row.subscribed_until) } : null,
  }
}

type Counts<Name extends string> = { readonly [Each in Name]?: number }

/** Counts everything in one statement, so that the numbers are consistent. */
async function measure(db: Db, since: Date): Promise<ServiceNumbers> {
  const named = sql<Record<string, number> | null>`json_object_agg(name, count)`
  const row = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('accounts')
        .select(
          sql<Record<'total' | 'verified' | 'banned' | 'leaving' | 'recent', number>>`json_build_object(
            'total', count(*), 'verified', count(*) filter (where email_verified),
            'banned', count(*) filter (where banned_at is not null),
            'leaving', count(*) filter (where deletion_scheduled_at is not null),
            'recent', count(*) filter (where created_at >= ${since}::timestamptz))`.as('numbers'),
        )
        .as('accounts'),
      selectFrom('profiles')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .as('profiles'),
      selectFrom('pages')
        .select(
          sql<Record<'total' | 'published', number>>`json_build_object(
            'total', count(*), 'published', count(*) filter (where status = 'published'))`.as('numbers'),
        )
        .as('pages'),
      selectFrom('files')
        .where('state', '=', 'stored')
        .select(
          sql<Record<'total' | 'bytes', number>>`json_build_object(
            'total', count(*), 'bytes', coalesce(sum(size), 0))`.as('numbers'),
        )
        .as('files'),
      selectFrom('receipts')
        .select(
          sql<Record<'total' | 'recent', number>>`json_build_object(
            'total', count(*), 'recent', count(*) filter (where issued_at >= ${since}::timestamptz))`.as('numbers'),
        )
        .as('receipts'),
      selectFrom((from) =>
        from
          .selectFrom('accounts')
          .select(['tier as name', fn.countAll().as('count')])
          .groupBy('tier')
          .as('counted'),
      )
        .select(named.as('counts'))
        .as('by_tier'),
      selectFrom((from) =>
        from
          .selectFrom('profiles')
          .select(['type as name', fn.countAll().as('count')])
          .groupBy('type')
          .as('counted'),
      )
        .select(named.as('counts'))
        .as('by_type'),
      selectFrom((from) =>
        from
          .selectFrom('subscriptions')
          .select(['status as name', fn.countAll().as('count')])
          .groupBy('status')
          .as('counted'),
      )
        .select(named.as('counts'))
        .as('by_status'),
    ])
    .executeTakeFirstOrThrow()
  const none = { total: 0, verified: 0, banned: 0, leaving: 0, recent: 0, published: 0, bytes: 0 }
  return {
    accounts: { ...(row.accounts ?? none), byTier: (row.by_tier ?? {}) as ServiceNumbers['accounts']['byTier'] },
    profiles: {
      total: Number(row.profiles ?? 0),
      byType: (row.by_type ?? {}) as ServiceNumbers['profiles']['byType'],
    },
    pages: row.pages ?? none,
    files: row.files ?? none,
    subscriptions: { byStatus: (row.by_status ?? {}) as Counts<string> },
    receipts: row.receipts ?? none,
  }
}
