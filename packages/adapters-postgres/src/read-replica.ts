import type { OptionalGroup, Readers } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import { createReplicaPosition, type ReplicaPosition } from './replica-position.ts'
import { sqlState } from './rows.ts'
import { isUnavailable } from './unavailable.ts'

/**
 * The stores of what everyone may read. Gates, entitlements, payments, receipts, sessions, accounts, keys, members,
 * idempotency, nonces and the event log are not among them: they are always read from the primary.
 */
const REPLICATED = [
  'profiles',
  'profileNames',
  'profileNumbers',
  'categories',
  'pages',
  'pageVersions',
  'oldPaths',
  'reactions',
  'connections',
  'feed',
  'listings',
  'smartSections',
  'siteIndex',
  'pricedResources',
  'directory',
  'analytics',
  'changelog',
  'searchSources',
] as const satisfies readonly (keyof Readers<OptionalGroup>)[]

/** The replica cancelled a read because of a conflict with what it replays. */
const isConflict = (error: unknown) => sqlState(error) === '40001' || sqlState(error) === '40P01'

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>

/**
 * Sends the reads of public stores to a replica. Each of them waits until the replica has replayed what was committed before
 * the read began, so it returns no less than the primary would. It is repeated on the primary when the replica lags
 * too far or fails.
 *
 * @param primary - all readers, on the primary
 * @param replica - the same, on the replica
 */
export function withReplica(
  primary: Readers<OptionalGroup>,
  replica: Readers<OptionalGroup>,
  position: ReplicaPosition,
): Readers<OptionalGroup> {
  const choosing = (onPrimary: Methods, onReplica: Methods) =>
    Object.fromEntries(
      Object.entries(onPrimary).map(([name, read]) => [
        name,
        async (...args: never[]) => {
          if (await position.hasCaughtUp()) {
            try {
              return await onReplica[name]?.(...args)
            } catch (error) {
              if (isUnavailable(error)) position.pause()
              else if (!isConflict(error)) throw error
            }
          }
          return read(...args)
        },
      ]),
    )
  const chosen = REPLICATED.map((name) => [
    name,
    choosing(primary[name] as unknown as Methods, replica[name] as unknown as Methods),
  ])
  return { ...primary, ...Object.fromEntries(chosen) }
}

const BYTES = "'0/0'::pg_lsn)::text"

/** Reads the positions of both servers. */
export const replicaPosition = (primary: Kysely<Database>, replica: Kysely<Database>): ReplicaPosition =>
  createReplicaPosition({
    // With `synchronous_commit = off`, commits are visible before they are flushed.
    primary: () =>
      bytesOf(
        primary,
        `(case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end`,
      ),
    // Where the primary itself is passed, nothing was ever replayed. A promoted replica no longer follows.
    replica: () => bytesOf(replica, '(coalesce(pg_last_wal_replay_lsn(), pg_current_wal_insert_lsn())'),
  })

async function bytesOf(db: Kysely<Database>, position: string): Promise<bigint> {
  const { rows } = await sql<{ bytes: string }>`select ${sql.raw(`${position} - ${BYTES}`)} as bytes`.execute(db)
  return BigInt(rows[0]?.bytes ?? -1)
}

const clusterOf = async (db: Kysely<Database>) => {
  const { rows } = await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`.execute(db)
  return rows[0]?.id
}

/**
 * Throws when both are reachable but the replica has the data of another cluster, with which positions cannot be compared.
 */
export async function assertReplica(primary: Kysely<Database>, replica: Kysely<Database>): Promise<void> {
  const found = await clusterOf(replica).catch(() => undefined)
  if (found === undefined || found === (await clusterOf(primary))) return
  throw new Error('readPool does not connect to a replica of the server of pool')
}
