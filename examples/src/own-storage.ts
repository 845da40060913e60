import {
  decodeCursor,
  defineStorage,
  type GateConfig,
  type GateStore,
  type GateVersionStore,
  type MoneyKind,
  type Storage,
  type StoredMoney,
  type Stores,
  toPage,
} from '@eep/core/ports'

/** The part of the driver that the stores use: rows from the pool or from the connection of a transaction. */
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
  bound_dids: Record<string, number>
  version: number
  updated_at: Date
}

interface VersionRow {
  version: number
  bytes: number
  changed_by: string | null
  changed_at: Date
}

// #region store
/** A complete store. The database assigns the version, so that two writers never use the same one. */
export const gates = (sql: Sql): GateStore => ({
  async get(profileId) {
    const { rows } = await sql.query<GateRow>('select * from gates where profile_id = $1', [profileId])
    return rows[0] && toGate(profileId, rows[0])
  },

  async put({ profileId, config, boundDids = {}, changedBy, updatedAt }) {
    const { rows } = await sql.query<GateRow>(
      `insert into gates (profile_id, config, bound_dids, version, updated_at) values ($1, $2, $3, 1, $4)
       on conflict (profile_id) do update
       set config = excluded.config, bound_dids = excluded.bound_dids,
         version = gates.version + 1, updated_at = excluded.updated_at
       returning *`,
      [profileId, JSON.stringify(config), JSON.stringify(boundDids), updatedAt],
    )
    const gate = toGate(profileId, rows[0] as GateRow)
    const text = JSON.stringify(config)
    await sql.query(
      `insert into gate_versions (profile_id, version, config, bytes, changed_by, changed_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [profileId, gate.version, text, Buffer.byteLength(text), changedBy, updatedAt],
    )
    return gate
  },
})
// #endregion

/** Its versions, an optional group. */
export const gateVersions = (sql: Sql): GateVersionStore => ({
  async list(profileId, { limit, cursor }) {
    const [before] = cursor === undefined ? [null] : decodeCursor(cursor, ['number'])
    const { rows } = await sql.query<VersionRow & { total: number }>(
      `select version, bytes, changed_by, changed_at,
         (select count(*)::int from gate_versions where profile_id = $1) as total
       from gate_versions
       where profile_id = $1 and ($2::int is null or version < $2) order by version desc limit $3`,
      [profileId, before, limit + 1],
    )
    const items = rows.map((row) => toSummary(profileId, row))
    return toPage(items, { limit, cursor }, rows[0]?.total ?? 0, ({ version }) => [version])
  },

  async get(profileId, version) {
    const { rows } = await sql.query<VersionRow & { config: GateConfig }>(
      'select * from gate_versions where profile_id = $1 and version = $2::bigint',
      [profileId, version],
    )
    return rows[0] && { ...toSummary(profileId, rows[0]), config: rows[0].config }
  },

  async prune(profileId, kept) {
    const { rows } = await sql.query(
      `delete from gate_versions where profile_id = $1
         and version <= (select version from gates where profile_id = $1) - greatest($2::int, 1)
       returning version`,
      [profileId, kept],
    )
    return rows.length
  },
})

const toGate = (profileId: number, { config, bound_dids, version, updated_at }: GateRow) => ({
  profileId,
  config,
  boundDids: bound_dids,
  version,
  updatedAt: updated_at,
})

const toSummary = (profileId: number, { version, bytes, changed_by, changed_at }: VersionRow) => ({
  profileId,
  version,
  bytes,
  changedBy: changed_by,
  changedAt: changed_at,
})

/** The table `settings` has one row. Its lock makes concurrent first calls wait for the one that decides. */
async function bindMoneyKind(sql: Sql, decide: (stored: StoredMoney) => MoneyKind): Promise<MoneyKind> {
  const settings = await sql.query<{ money_kind: MoneyKind | null }>('select money_kind from settings for update', [])
  const bound = settings.rows[0]?.money_kind
  if (bound) return bound
  const accounts = await sql.query('select 1 from accounts limit 1', [])
  const networks = await sql.query<{ network: string; count: string }>(
    'select network, count(*) from receipts group by network',
    [],
  )
  const payments = Object.fromEntries(networks.rows.map(({ network, count }) => [network, Number(count)]))
  const kind = decide({ hasAccounts: accounts.rows.length > 0, payments })
  await sql.query('update settings set money_kind = $1', [kind])
  return kind
}

// #region storage
/** The storage: one set of stores on the pool for reading, one on the transaction for writing. */
export function ownStorage(
  pool: Pool,
  others: (sql: Sql) => Omit<Stores<'gateVersions'>, 'gates' | 'gateVersions'>,
): Storage {
  const stores = (sql: Sql): Stores<'gateVersions'> => ({
    ...others(sql),
    gates: gates(sql),
    gateVersions: gateVersions(sql),
  })
  return defineStorage({
    groups: ['gateVersions'],
    read: stores(pool),
    transaction: (work) => pool.transaction((sql) => work(stores(sql))),
    bindMoneyKind: (decide) => pool.transaction((sql) => bindMoneyKind(sql, decide)),
    async ping() {
      await pool.query('select 1', [])
    },
    close: () => pool.close(),
  })
}
// #endregion
