import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import type { Checks } from './checks.ts'
import type { Instance } from './service.ts'

const MIB = 1_048_576
/** What caches that were not full in the first window may add, and what V8 does not return. */
const MAX_HEAP_MIB = 32
const MAX_RSS_MIB = 96
const MAX_HANDLES = 20
/** Of rows that a table has few of: its pages and indexes. */
const BYTES_PER_ROW = 2_048
const MAX_BLOAT = 2.5
const FREE_BYTES = 8 * MIB

/** A table with its indexes and large values. */
export interface TableSize {
  readonly rows: number
  readonly bytes: number
}

/** What an instance and the database hold while there is no load. */
export interface Window {
  /** Seconds since the load began. */
  readonly second: number
  readonly heapMiB: number
  readonly externalMiB: number
  readonly rssMiB: number
  readonly descriptors: number
  readonly resources: number
  readonly connections: number
  readonly tables: ReadonlyMap<string, TableSize>
}

/** Runs one query on a separate connection: those of a pool end with each restart. */
export async function query<Row>(
  connectionString: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows as readonly Row[]
  } finally {
    await client.end()
  }
}

async function tableSizes(connectionString: string): Promise<ReadonlyMap<string, TableSize>> {
  const tables = await query<{ readonly name: string; readonly bytes: string }>(
    connectionString,
    `select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes from pg_class c
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'eep' and c.relkind = 'r' order by 1`,
  )
  const counts = await query<Record<string, string>>(
    connectionString,
    `select ${tables.map(({ name }, index) => `(select count(*) from ${name}) as "${index}"`).join(', ')}`,
  )
  return new Map(
    tables.map(({ name, bytes }, index) => [
      name.replace('eep.', ''),
      { rows: Number(counts[0]?.[index]), bytes: Number(bytes) },
    ]),
  )
}

/** Measures what an instance holds after a garbage collection. Call it while there are no requests. */
export async function measureWindow(instance: Instance, connectionString: string, second: number): Promise<Window> {
  const inspector = await instance.inspector()
  const { heapBytes, externalBytes, resources } = await inspector.measure()
  inspector.close()
  const status = await readFile(`/proc/${instance.pid()}/status`, 'utf8')
  const [connections] = await query<{ readonly count: string }>(
    connectionString,
    'select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return {
    second,
    heapMiB: heapBytes / MIB,
    externalMiB: externalBytes / MIB,
    rssMiB: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024,
    descriptors: (await readdir(`/proc/${instance.pid()}/fd`)).length,
    resources,
    connections: Number(connections?.count),
    tables: await tableSizes(connectionString),
  }
}

/** Compares the first window with the last one. */
export function compareWindows(windows: readonly Window[], checks: Checks): void {
  const [first, last] = [windows[0], windows.at(-1)]
  if (!first || !last || first === last) return
  const grown = (of: (window: Window) => number) => of(last) - of(first)
  const heap = grown(({ heapMiB, externalMiB }) => heapMiB + externalMiB)
  const rss = grown(({ rssMiB }) => rssMiB)
  const minutes = Math.round((last.second - first.second) / 60)
  checks.note(
    'memory',
    `heap and buffers ${signed(heap)} MiB (at most +${MAX_HEAP_MIB}), RSS ${signed(rss)} MiB (at most +${MAX_RSS_MIB}), in ${minutes} min`,
  )
  if (heap > MAX_HEAP_MIB) checks.violate('memory', `the heap grew by ${heap.toFixed(0)} MiB`)
  if (rss > MAX_RSS_MIB) checks.violate('memory', `RSS grew by ${rss.toFixed(0)} MiB`)

  const handles = {
    'file descriptors': grown(({ descriptors }) => descriptors),
    'event loop resources': grown(({ resources }) => resources),
    connections: grown(({ connections }) => connections),
  }
  checks.note(
    'handles',
    Object.entries(handles)
      .map(([name, more]) => `${name} ${signed(more)}`)
      .join(', '),
  )
  for (const [name, more] of Object.entries(handles)) {
    if (more > MAX_HANDLES) checks.violate('handles', `${more} more ${name}`)
  }

  let most = { name: '', ratio: 0 }
  for (const [name, { rows, bytes }] of last.tables) {
    const before = first.tables.get(name)
    const each = before && before.rows >= 1_000 ? before.bytes / before.rows : BYTES_PER_ROW
    const allowed = FREE_BYTES + MAX_BLOAT * each * rows
    if (bytes / allowed > most.ratio) most = { name, ratio: bytes / allowed }
    if (bytes > allowed) {
      checks.violate(
        'tables',
        `${name}: ${(bytes / MIB).toFixed(1)} MiB for ${rows} rows, at most ${(allowed / MIB).toFixed(1)} MiB`,
      )
    }
  }
  checks.note('tables', `nearest to its limit: ${most.name}, ${Math.round(most.ratio * 100)} %`)
}

/** A number with its sign. */
const signed = (value: number): string => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(0)}`
