import { postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'

/** The member of an account's export that has the rows of a table, or why it has none. */
const TABLES: Readonly<Record<string, string>> = {
  agreements: 'agreements.json',
  api_keys: 'api-keys.json',
  app_connections: 'apps.json',
  app_receipts: 'apps.json',
  app_spend_totals: 'apps.json',
  feed_likes: 'feed-likes.json',
  feed_posts: 'profiles/{type}/{username}/feed.json',
  files: 'profiles/{type}/{username}/files/',
  identities: 'identities.json',
  members: 'teams.json',
  notification_preferences: 'notification-preferences.json',
  paid_years: 'purchases.json, as receipts',
  passkeys: 'passkeys.json',
  payments: 'purchases.json, once they are settled',
  payouts: 'payouts.json',
  profiles: 'profiles/{type}/{username}/profile.json',
  reactions: 'reactions.json',
  receipts: 'purchases.json',
  second_factors: 'second-factor.json',
  sessions: 'sessions.json',
  site_scans: 'site-scans.json',
  subscriptions: 'subscription.json',
  transfers: 'transfers.json',
  wallets: 'wallets.json',
  webhooks: 'webhooks.json',
  workspace_comments: 'workspace-comments.json',
  workspace_members: 'workspaces.json',

  admin_audit: 'left out: about the administration of the service',
  app_codes: 'left out: digests of secrets, deleted after minutes',
  app_device_requests: 'left out: digests of secrets, deleted after minutes',
  app_spends: 'left out: each is a payment or a hold; their totals are in apps.json',
  audit_log: 'left out: kept as evidence, at /eep/audit-log',
  events: 'left out: deleted after days; those of profiles are in events.ndjson',
  feed_closed_accounts: 'left out: a decision of administrators',
  idempotency_keys: 'left out: encrypted responses, for a day',
  invitations: 'left out: they name who invited',
  jobs: 'left out: deleted after days',
  page_preview_links: 'left out: digests of secrets, deleted after days',
  negotiation_moves: 'left out: they belong to both parties of a deal',
  notification_digests: 'left out: when the next email is due',
  notifications: 'left out: they name others, and are deleted after 90 days',
  reports: 'left out: they quote others',
  reserved_names: 'left out: former names, which are in no record of the account',
  sandbox_plans: 'left out: orders at the play processor; the subscription is in subscription.json',
  subscription_checkouts: 'left out: checkout pages that are open',
  subscription_leases: 'left out: locks',
  tokens: 'left out: digests of secrets',
  transcription_minutes: 'left out: a counter of the month',
  transcription_reservations: 'left out: a counter of running jobs',
  workspace_activity: 'left out: it belongs to the workspace',
  workspace_invitations: 'left out: they name who invited',
}

describe.skipIf(onPglite())('the tables', () => {
  let database: TestDatabase
  let pool: Pool
  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    await postgresStorage({ pool, schema: 'walked' }).migrate()
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it('that name accounts are in the export of an account, or are left out for a reason', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
       where table_schema = 'walked' and column_name ~ 'account_id$' order by 1`,
    )
    const names = rows.map(({ name }) => name)
    const missing = names.filter((name) => !(name in TABLES))
    expect(missing, 'tables that TABLES of this test does not have').toEqual([])
    expect(Object.keys(TABLES).sort(), 'tables that are in no schema any more').toEqual(names)
  })
})
