import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { accountEverywhere, eraseAccount } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { queriesOf, type SentQuery } from '../../support/sent-queries.ts'

/** The tables that one transaction changes with an account, and what keeps their rows few or is done before. */
const BOUNDED = {
  accounts: 'one',
  profiles: 'the limit of the plan',
  identities: 'one of a provider',
  wallets: 'the limit of wallets',
  payouts: 'one of a wallet',
  passkeys: 'the limit of passkeys',
  second_factors: 'one',
  api_keys: 'the limit of keys; ended ones are pruned',
  app_tokens: 'twenty of a connection, deleted before with it',
  app_codes: 'those of the last minutes',
  app_device_requests: 'those of the last minutes',
  reserved_names: 'the limit of renames',
  notification_preferences: 'one of a kind',
  notification_digests: 'one',
  feed_closed_accounts: 'one',
  subscriptions: 'each is paid',
  subscription_leases: 'one',
  subscription_checkouts: 'a few that are open',
  subscription_reminders: 'a few of a subscription',
  paid_years: 'each is paid',
  transcription_minutes: 'one of a month',
  transcription_reservations: 'one of a job',
  workspace_members: 'the limit of workspaces',
  workspaces: 'the limit of workspaces',
  reaction_counts: 'corrected with the reactions',
  receipts: 'the module of receipts signs them again before',
  message_bodies: 'one of a message; those of a profile are deleted before',
  conversation_sides: 'two of a conversation; those of a profile are deleted before',
  report_evidence: 'deleted before with the profile',
  audit_chains: 'one of a profile',
  site_scan_hosts: 'one of a scan',
  kept_answers: 'one of a payment that was not delivered',
  agreements: 'one of a document that its person accepted',
  sandbox_mail: 'as many as the host keeps',
  sandbox_payments: 'play money, of people who try the service',
  sandbox_plans: 'play money, of people who try the service',
}

/** Tables whose rows of a profile are few. */
const OF_PROFILES =
  'agreements categories gates gate_versions hidden_profiles priced_profiles profile_names smart_sections trust_levels'.split(
    ' ',
  )

/** Tables that some steps read completely, because their rows are few or no index has all of them. */
const READ = /Seq Scan on (?!workspaces|webhooks|notifications)/

describe.skipIf(onPglite())('the records that name an account', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage
  let accountId: string
  let parts: readonly SentQuery[]
  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    storage = postgresStorage({ pool, schema: 'parts', listen: false })
    await storage.migrate()
    const { account } = await accountEverywhere(storage)
    accountId = account.id
    const erased = await storage.transaction(async (tx) => {
      const locked = await tx.accounts.lockForErasure(accountId, { owner: [], newOwner: [] })
      if (!locked) throw new Error('The account does not exist')
      for (const id of locked.profileIds) await tx.hiddenProfiles.hide(id, { at: new Date() })
      for (const id of locked.profileIds) await tx.hiddenProfiles.deleteContents(id, 10_000, new Date())
      return locked
    })
    parts = await queriesOf(pool, async () => {
      let after: string | undefined
      do {
        after = await storage.transaction((tx) => tx.accounts.eraseAccount(erased, [], { limit: 1, after }))
      } while (after !== undefined)
    })
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  const tablesIn = (queries: readonly SentQuery[]) =>
    new Set(
      queries.flatMap(({ text }) =>
        [...text.matchAll(/(?:update|delete from) "parts"\."(\w+)"/g)].flatMap(([, name]) => name ?? []),
      ),
    )

  it('are erased in parts, unless a limit keeps them few', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `with recursive below as (
         select conrelid as id, confdeltype from pg_constraint where confrelid = 'parts.accounts'::regclass
         union
         select upper.conrelid, upper.confdeltype from pg_constraint upper join below on upper.confrelid = below.id
         where upper.confdeltype = 'c' and below.confdeltype = 'c'
       )
       select relname as name from below join pg_class on pg_class.oid = below.id`,
    )
    const inParts = tablesIn(parts)
    // The rehearsal sends what the last transaction does, and keeps nothing of it.
    const end = await queriesOf(pool, () =>
      storage.rehearse(async ({ transaction }) => {
        await transaction((tx) => eraseAccount(tx, accountId))
      }),
    )
    const changedWithIt = new Set([...rows.map(({ name }) => name), ...tablesIn(end)])
    const others = [...changedWithIt].filter((name) => !inParts.has(name)).sort()
    expect(others).toEqual(
      Object.keys(BOUNDED)
        .filter((name) => !inParts.has(name))
        .sort(),
    )
  })

  it('are few when the account is deleted', async () => {
    // On another connection, whose counts have nothing of earlier transactions.
    const unused = new Pool({ connectionString: database.connectionString })
    const fresh = postgresStorage({ pool: unused, schema: 'parts', listen: false })
    const deleted = await fresh.rehearse(async ({ transaction }) => {
      await transaction((tx) => eraseAccount(tx, accountId))
    })
    await fresh.close()
    await unused.end()
    expect(deleted).toMatchObject({ accounts: 1 })
    expect(Object.keys(deleted).filter((name) => !(name in BOUNDED || OF_PROFILES.includes(name)))).toEqual([])
  })

  it('are found by an index', async () => {
    const client = await pool.connect()
    const scanned = new Set<string>()
    try {
      await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
      for (const { text, values } of parts.filter((each) => each.text.startsWith('with selected'))) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        if (READ.test(plan)) scanned.add(text)
      }
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect([...scanned]).toEqual([])
  })
})
