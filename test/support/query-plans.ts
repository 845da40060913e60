import type { Pool, PoolClient } from 'pg'
import type { SentQuery } from './sent-queries.ts'

/** A node of a plan, as `explain (format json)` returns it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How many rows a part of a statement may read, however many there are. */
export const MAX_ROWS = 1_300

/** The planner scans a table that is small. It is to decide as if the tables were a hundred times as large. */
const AS_IF_LARGE = 'set local seq_page_cost = 100'

/** Statements of transactions and of the job queue, which a package sends, are not written like this. */
const readsTable = (text: string) => text.includes('"eep"."') && /^\s*(select|with|insert|update|delete)\b/i.test(text)
const changes = (text: string) => /\b(insert into|update|delete from) "eep"/.test(text)

/** Returns what the plan of a statement scans in whole, or reads more than {@link MAX_ROWS} rows of. */
export async function slowPartsOf(pool: Pool, { text, values }: Omit<SentQuery, 'port'>): Promise<readonly string[]> {
  if (!readsTable(text)) return []
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(AS_IF_LARGE)
    // Changes are not repeated: they would conflict with those that were made.
    const plan = await explain(client, changes(text) ? '' : 'analyze, ', text, values)
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where reltuples > $1 and relnamespace = 'eep'::regnamespace`,
      [MAX_ROWS],
    )
    return slowNodesOf(plan, new Set(rows.map(({ name }) => name)))
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function explain(client: PoolClient, how: string, text: string, values: SentQuery['values']): Promise<PlanNode> {
  const { rows } = await client.query(`explain (${how}format json) ${text}`, values)
  return rows[0]['QUERY PLAN'][0].Plan
}

function slowNodesOf(node: PlanNode, large: ReadonlySet<string>): readonly string[] {
  const below = (node.Plans ?? []).flatMap((each) => slowNodesOf(each, large))
  const kind = node['Node Type']
  const table = node['Relation Name'] ?? ''
  if (kind === 'Seq Scan' && large.has(table)) return [...below, `Seq Scan of ${table}`]
  const returned = node['Actual Rows'] ?? node['Plan Rows']
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const rows = Math.round((returned + removed) * (node['Actual Loops'] ?? 1))
  if (rows <= MAX_ROWS || kind === 'ModifyTable') return below
  return [...below, `${kind} of ${table || 'rows'} with ${rows} rows`]
}
