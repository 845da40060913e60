import { defineStorage, type GateConfig, type GateStore, type Storage, type Stores } from '@eep/core/ports'

/** What is used of a driver: rows, from the pool or from the connection of a transaction. */
export interface Sql {
  query<Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }>
}

/** The pool of that driver. */
export interface Pool extends Sql {
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

interface GateRow {
  config: GateConfig
  version: number
  updated_at: Date
}

// #region store
/** One store whole. The version is counted by the database, so that two writers never give out the same one. */
export const gates = (sql: Sql): GateStore => ({
  async get(profileId) {
    const { rows } = await sql.query<GateRow>('select * from gates where profile_id = $1', [profileId])
    return rows[0] && toGate(profileId, rows[0])
  },

  async put({ profileId, config, updatedAt }) {
    const { rows } = await sql.query<GateRow>(
      `insert into gates (profile_id, config, version, updated_at) values ($1, $2, 1, $3)
       on conflict (profile_id) do update
       set config = excluded.config, version = gates.version + 1, updated_at = excluded.updated_at
       returning *`,
      [profileId, JSON.stringify(config), updatedAt],
    )
    return toGate(profileId, rows[0] as GateRow)
  },
})
// #endregion

const toGate = (profileId: number, { config, version, updated_at }: GateRow) => ({
  profileId,
  config,
  version,
  updatedAt: updated_at,
})

// #region storage
/** The frame: one set of stores over the pool for reading, one over the transaction for writing. */
export function ownStorage(pool: Pool, others: (sql: Sql) => Omit<Stores, 'gates'>): Storage {
  const stores = (sql: Sql): Stores => ({ ...others(sql), gates: gates(sql) })
  return defineStorage({
    read: stores(pool),
    transaction: (work) => pool.transaction((sql) => work(stores(sql))),
    async ping() {
      await pool.query('select 1', [])
    },
    close: () => pool.close(),
  })
}
// #endregion
