import type { OptionalGroup } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The tables in which a group has rows as soon as it is used. Groups without tables are left out. */
const TABLES: { readonly [Group in OptionalGroup]?: readonly string[] } = {
  teams: ['members', 'invitations', 'transfers'],
  apiKeys: ['api_keys'],
  connectedApps: ['app_connections', 'app_spends', 'app_receipts'],
  identities: ['identities'],
  passkeys: ['passkeys'],
  secondFactors: ['second_factors'],
  wallets: ['wallets', 'payouts'],
  connections: ['connections'],
  sales: ['refunds'],
  paidRequests: ['paid_requests'],
  jobs: ['jobs'],
  files: ['files'],
  fileTexts: ['file_texts'],
  media: ['transcripts'],
  reactions: ['reactions'],
  feed: ['feed_posts', 'feed_likes'],
  negotiations: ['negotiations'],
  listings: ['services', 'reviews'],
  messages: ['messages'],
  reports: ['reports'],
  subscriptions: ['subscriptions', 'paid_years'],
  trustLevels: ['trust_levels'],
  smartSections: ['smart_sections'],
  siteScans: ['site_scans'],
  pricedResources: ['priced_profiles'],
  sandbox: ['sandbox_wallets', 'sandbox_payments', 'sandbox_plans', 'sandbox_mail'],
  audit: ['admin_audit'],
  auditLog: ['audit_log'],
  webhooks: ['webhooks'],
  notifications: ['notifications', 'notification_preferences'],
  analytics: ['analytics_minutes', 'analytics_hours', 'analytics_days'],
  memory: ['memory_sessions'],
  workspaces: ['workspaces'],
}

/** Returns those of some groups that have a row, with one statement that reads one row of each table at most. */
export async function groupsWithData(
  db: Db,
  schema: string,
  groups: readonly OptionalGroup[],
): Promise<readonly OptionalGroup[]> {
  const asked = groups.flatMap((group) => (TABLES[group] ?? []).map((table) => ({ group, table })))
  if (asked.length === 0) return []
  const found = asked.map(
    ({ group, table }) =>
      sql`select ${group}::text as name where exists (select 1 from ${sql.table(`${schema}.${table}`)})`,
  )
  const { rows } = await sql<{ name: OptionalGroup }>`${sql.join(found, sql` union all `)}`.execute(db)
  return groups.filter((group) => rows.some(({ name }) => name === group))
}
