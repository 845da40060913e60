import {
  OPTIONAL_GROUPS,
  type OptionalGroup,
  type PoolUse,
  type RateLimitStore,
  type Readers,
  type SearchIndex,
  type Storage,
  type Stores,
} from '@eep/core/ports'
import { type Dialect, Kysely, sql } from 'kysely'
import { createAnnouncer } from './announcer.ts'
import type { Database, Db } from './database.ts'
import { assertIsoDates } from './date-style.ts'
import { assertEventOrder, startEraAfterRestore } from './event-order.ts'
import { TRANSACTION } from './kysely-of.ts'
import { assertMigrated, type MigrationStatus, migrate, migrationStatus } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { isUnprepared } from './prepared-statements.ts'
import { createQueue } from './queue/queue.ts'
import { sqlRateLimits } from './rate-limits.ts'
import { assertReplica, replicaPosition, withReplica } from './read-replica.ts'
import { type DeletedRows, rehearse } from './rehearsal.ts'
import { sqlState } from './rows.ts'
import { type SqlSearchOptions, sqlSearch } from './search/search.ts'
import { accounts } from './stores/accounts.ts'
import { analytics } from './stores/analytics.ts'
import { apiKeys } from './stores/api-keys.ts'
import { audit } from './stores/audit.ts'
import { auditLog } from './stores/audit-log.ts'
import { categories } from './stores/categories.ts'
import { connections } from './stores/connections.ts'
import { directory } from './stores/directory.ts'
import { documentComments } from './stores/document-comments.ts'
import { entitlements, grants, openPurchases } from './stores/entitlements.ts'
import { changelog, eventChannel, eventRetention, events, followers } from './stores/events.ts'
import { expired } from './stores/expired.ts'
import { feed } from './stores/feed.ts'
import { fileTexts } from './stores/file-texts.ts'
import { files } from './stores/files.ts'
import { gateSessions } from './stores/gate-sessions.ts'
import { gates, gateVersions } from './stores/gates.ts'
import { idempotency } from './stores/idempotency.ts'
import { identities } from './stores/identities.ts'
import { invitations } from './stores/invitations.ts'
import { jobs } from './stores/jobs.ts'
import { listings } from './stores/listings.ts'
import { media } from './stores/media.ts'
import { members } from './stores/members.ts'
import { memory } from './stores/memory.ts'
import { messages } from './stores/messages.ts'
import { negotiations } from './stores/negotiations.ts'
import { nonces } from './stores/nonces.ts'
import { notifications } from './stores/notifications.ts'
import { oldPaths } from './stores/old-paths.ts'
import { ordering } from './stores/ordering.ts'
import { pages, pageVersions } from './stores/pages.ts'
import { passkeys } from './stores/passkeys.ts'
import { payments } from './stores/payments.ts'
import { payouts } from './stores/payouts.ts'
import { prepaidPlans } from './stores/prepaid-plans.ts'
import { pricing } from './stores/pricing.ts'
import { profileNames, profileNumbers, profiles } from './stores/profiles.ts'
import { reactions } from './stores/reactions.ts'
import { receipts, refunds, sales } from './stores/receipts.ts'
import { reports } from './stores/reports.ts'
import { searchSources } from './stores/search-sources.ts'
import { secondFactors } from './stores/second-factors.ts'
import { sessions } from './stores/sessions.ts'
import { siteIndex } from './stores/site-index.ts'
import { siteScans } from './stores/site-scans.ts'
import { smartSections } from './stores/smart-sections.ts'
import { subscriptions } from './stores/subscriptions.ts'
import { tokens } from './stores/tokens.ts'
import { transfers } from './stores/transfers.ts'
import { trustLevels } from './stores/trust-levels.ts'
import { wallets } from './stores/wallets.ts'
import { webhooks } from './stores/webhooks.ts'
import { workspaceActivity } from './stores/workspace-activity.ts'
import { workspaceDocuments } from './stores/workspace-documents.ts'
import { workspaceInvitations } from './stores/workspace-invitations.ts'
import { workspaceMembers } from './stores/workspace-members.ts'
import { workspaces } from './stores/workspaces.ts'
import { orUnavailable, reportingUnavailability } from './unavailable.ts'
import { type ListenClient, watchEvents } from './watch.ts'
import { readWorkload } from './workload.ts'

/** A storage that migrates its schema. */
export interface PostgresStorage extends Storage<OptionalGroup> {
  /**
   * Applies pending migrations in one transaction. Does nothing when there are none.
   * Throws when a migration fails, without changing anything.
   */
  migrate(): Promise<void>
  /** Returns applied and pending migrations. */
  status(): Promise<MigrationStatus>
  /**
   * Runs work on a storage whose changes are undone at the end, and returns how many rows it deleted from each table, cascades
   * included. All of it is one transaction: its locks are held and later events wait until it ends. The storage has no
   * queue and runs one `transaction` at a time.
   *
   * @example
   * const deleted = await storage.rehearse(async (storage) => {
   *   const eep = createEep({ ...options, storage })
   *   await eep.purge()
   * })
   */
  rehearse(work: (storage: Storage<OptionalGroup>) => Promise<void>): Promise<DeletedRows>
  /** A rate limit store in the same database; see `postgresRateLimits`. */
  rateLimits(): RateLimitStore
  /** A full-text index in the same database; see `postgresSearch`. */
  search(options?: SqlSearchOptions): SearchIndex
}

/** Options of {@link sqlStorage}. */
export interface SqlStorageOptions {
  /** The Kysely dialect. `close` ends its connections. */
  readonly dialect: Dialect
  /** The dialect of a streaming replica, for reads of public data outside transactions. Default: all reads use `dialect`. */
  readonly readDialect?: Dialect | undefined
  /** The schema of all tables. Default: `eep`. */
  readonly schema?: string | undefined
  /** Creates the connection for notifications of new events. Default: no notifications, the log is polled. */
  readonly listen?: (() => ListenClient) | undefined
  /** Returns the use of the connection pool. Default: unknown. */
  readonly poolUse?: (() => PoolUse) | undefined
}

export const DEFAULT_SCHEMA = 'eep'

/** Callbacks of a transaction that stores events or jobs. */
interface Marks {
  readonly added?: (() => void) | undefined
  readonly appended?: (() => void) | undefined
}

/** Creates the stores for a connection, which reads, or a transaction, which also writes. */
const stores = (db: Db, schema: string, { added, appended }: Marks = {}): Stores<OptionalGroup> => ({
  accounts: accounts(db, schema),
  sessions: sessions(db),
  tokens: tokens(db),
  identities: identities(db),
  passkeys: passkeys(db),
  secondFactors: secondFactors(db),
  wallets: wallets(db),
  payouts: payouts(db),
  apiKeys: apiKeys(db, schema),
  profiles: profiles(db),
  profileNames: profileNames(db),
  profileNumbers: profileNumbers(db),
  members: members(db),
  invitations: invitations(db),
  transfers: transfers(db),
  categories: categories(db),
  pages: pages(db),
  pageVersions: pageVersions(db),
  ordering: ordering(db),
  oldPaths: oldPaths(db),
  reactions: reactions(db),
  connections: connections(db),
  feed: feed(db),
  gates: gates(db),
  gateVersions: gateVersions(db),
  entitlements: entitlements(db),
  grants: grants(db),
  openPurchases: openPurchases(db),
  siteIndex: siteIndex(db),
  directory: directory(db),
  nonces: nonces(db),
  idempotency: idempotency(db),
  payments: payments(db),
  receipts: receipts(db),
  sales: sales(db),
  refunds: refunds(db),
  files: files(db),
  fileTexts: fileTexts(db),
  jobs: jobs(db, schema, added ?? (() => {})),
  media: media(db),
  listings: listings(db),
  negotiations: negotiations(db),
  messages: messages(db),
  reports: reports(db),
  gateSessions: gateSessions(db),
  smartSections: smartSections(db),
  siteScans: siteScans(db),
  subscriptions: subscriptions(db),
  pricing: pricing(db),
  prepaidPlans: prepaidPlans(db),
  trustLevels: trustLevels(db),
  audit: audit(db),
  auditLog: auditLog(db),
  expired: expired(db),
  events: events(db, appended),
  eventRetention: eventRetention(db),
  changelog: changelog(db),
  followers: followers(db),
  webhooks: webhooks(db),
  notifications: notifications(db),
  searchSources: searchSources(db, schema),
  analytics: analytics(db),
  memory: memory(db),
  workspaces: workspaces(db),
  workspaceMembers: workspaceMembers(db),
  workspaceInvitations: workspaceInvitations(db),
  workspaceActivity: workspaceActivity(db),
  workspaceDocuments: workspaceDocuments(db),
  documentComments: documentComments(db),
})

/**
 * Storage on PostgreSQL with any Kysely dialect. Call `migrate` before the first use.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/storage.md
 * @example
 * const storage = sqlStorage({ dialect })
 * await storage.migrate()
 */
export function sqlStorage({
  dialect,
  readDialect,
  schema = DEFAULT_SCHEMA,
  listen,
  poolUse,
}: SqlStorageOptions): PostgresStorage {
  assertSchemaName(schema)
  const db = new Kysely<Database>({ dialect })
  const readDb = readDialect && new Kysely<Database>({ dialect: readDialect })
  const primary: Readers<OptionalGroup> = reportingUnavailability(stores(db.withSchema(schema), schema))
  const read = readDb
    ? withReplica(primary, stores(readDb.withSchema(schema), schema), replicaPosition(db, readDb))
    : primary
  const watches = new Set<() => Promise<void>>()
  const queue = createQueue(db, schema)
  // Without a listener, the log is polled.
  const announcer = listen && createAnnouncer(() => sql`select pg_notify(${eventChannel(schema)}, '')`.execute(db))

  return {
    groups: OPTIONAL_GROUPS,
    read,
    queue,
    transaction: async (work) => {
      let hasJobs = false
      let hasEvents = false
      const marks: Marks = { added: () => (hasJobs = true), appended: () => (hasEvents = true) }
      const run = () =>
        // The stores require this isolation level, whatever the default of the database.
        db
          .transaction()
          .setIsolationLevel('read committed')
          .execute((trx) =>
            work({ ...stores(trx.withSchema(schema), schema, marks), [TRANSACTION]: trx } as Stores<OptionalGroup>),
          )
      const result = await orUnavailable(() => retryConflicts(run))
      if (hasJobs) queue.wake()
      if (hasEvents) announcer?.announce()
      return result
    },

    ...(listen && {
      async watch(wake) {
        const end = await watchEvents(listen, schema, wake)
        const stop = async () => {
          watches.delete(stop)
          await end()
        }
        watches.add(stop)
        return stop
      },
    }),

    async migrate() {
      await assertIsoDates(db)
      await migrate(db, schema, migrations)
      await startEraAfterRestore(db, schema)
    },
    status: () => migrationStatus(db, schema, migrations),
    rehearse: (work) =>
      orUnavailable(() =>
        rehearse(db, schema, (trx) => ({ ...stores(trx.withSchema(schema), schema), [TRANSACTION]: trx }), work),
      ),
    rateLimits: () => sqlRateLimits(db, schema),
    search: (options) => sqlSearch(db, schema, options),
    workload: () => orUnavailable(() => readWorkload(db, schema)),
    ...(poolUse && { poolUse }),
    async ping() {
      await assertIsoDates(db)
      await assertMigrated(db, schema, migrations)
      await assertEventOrder(db, schema)
      if (readDb) await assertReplica(db, readDb)
    },
    async close() {
      await Promise.all([announcer?.close(), queue.close(), ...[...watches].map((stop) => stop())])
      await Promise.all([db.destroy(), readDb?.destroy()])
    },
  }
}

const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,49}$/

export function assertSchemaName(schema: string) {
  if (SCHEMA_NAME.test(schema)) return
  throw new TypeError(
    `"${schema}" is not a valid schema name: use up to 50 of a-z, 0-9 and _, not starting with a digit`,
  )
}

const ATTEMPTS = 4
const CONFLICTS = new Set(['40001', '40P01'])

/** Retries a transaction that PostgreSQL aborted because of a conflict. */
async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === ATTEMPTS || !(CONFLICTS.has(sqlState(error) ?? '') || isUnprepared(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}
