import { Pool, type PoolClient } from 'pg'
import { inject } from 'vitest'
import { keepStatements } from './kept-statements.ts'
import type { TestDatabase } from './postgres-server.ts'

/** Enough for requests that race. Each connection reads the catalogue for itself, which costs more than most tests. */
const CONNECTIONS = 3

/** A migrated database, and connections to it. */
export interface ReusedDatabase {
  readonly connectionString: string
  /** Returns a pool that no other caller has. */
  pool(): Pool
  /** Empties the database for the next test, or drops it, for example when a connection is still in use. */
  close(): Promise<void>
}

/** What a migrated database has before it is used. */
interface Beginning {
  readonly tables: readonly string[]
  /** The rows of the tables that are not empty, as JSON by table. */
  readonly rows: ReadonlyMap<string, string>
}

const beginnings = new Map<string, Beginning>()
const spares = new Map<string, ReusedDatabase[]>()

/**
 * A migrated database, which may have been used by earlier tests of this process and is empty again. That takes a small part
 * of the processor time of a new one, as each connection to a new one starts a process that reads the catalogue.
 */
export async function reusedDatabase(schema: string, create: () => Promise<TestDatabase>): Promise<ReusedDatabase> {
  const key = `${inject('postgres').prefix} ${schema}`
  const kept = spares.get(key) ?? []
  spares.set(key, kept)
  const known = kept.pop()
  if (known) return known

  const { connectionString, drop } = await create()
  const pools: Pool[] = []
  let given = 0
  const pool = () => {
    const next = pools[given] ?? openPool(connectionString)
    pools[given++] = next
    return next
  }
  const beginning = beginnings.get(key) ?? (await withClient(pool(), (client) => readBeginning(client, schema)))
  beginnings.set(key, beginning)
  given = 0
  const emptied = async () => {
    given = 0
    if (pools.some(({ idleCount, totalCount }) => idleCount < totalCount)) return false
    await withClient(pool(), (client) => empty(client, schema, beginning))
    given = 0
    return true
  }
  const database: ReusedDatabase = {
    connectionString,
    pool,
    async close() {
      // A role of a given server may not be allowed to turn triggers off.
      const isEmpty = await emptied().catch((error) => console.warn('A database cannot be used again:', error))
      if (isEmpty) return void kept.push(database)
      await Promise.all(pools.map((each) => each.end()))
      await drop()
    },
  }
  return database
}

function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: CONNECTIONS, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // Planning takes about as long as running a statement. Contracts and hosts run statements as services do.
  keepStatements(pool, 3_000)
  // The server ends idle connections when it stops.
  pool.on('error', () => {})
  return pool
}

async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

async function readBeginning(client: PoolClient, schema: string): Promise<Beginning> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
     from pg_tables join pg_class on oid = format('%I.%I', schemaname, tablename)::regclass
     where schemaname = $1 and tablename <> 'migrations' and relkind = 'r'`,
    [schema],
  )
  const rows = new Map<string, string>()
  for (const { name } of tables) {
    const found = await client.query<{ all: string | null }>(`select json_agg(t)::text as all from ${name} t`)
    if (found.rows[0]?.all) rows.set(name, found.rows[0].all)
  }
  return { tables: tables.map(({ name }) => name), rows }
}

/** Deletes all rows without firing triggers, restores those of the beginning, and lets sequences start again. */
async function empty(client: PoolClient, schema: string, { tables, rows }: Beginning): Promise<void> {
  const restored = [...rows].map(
    ([name, all]) =>
      `insert into ${name} overriding system value
       select * from json_populate_recordset(null::${name}, ${client.escapeLiteral(all)})`,
  )
  await client.query(
    [
      'begin',
      'set local session_replication_role = replica',
      ...tables.map((name) => `delete from ${name}`),
      ...restored,
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
       from pg_sequences where schemaname = ${client.escapeLiteral(schema)} and last_value is not null`,
      'commit',
    ].join(';\n'),
  )
}
