import { readFile, writeFile } from 'node:fs/promises'
import { loadavg, totalmem } from 'node:os'
import { createDatabaseOn, startPostgresServer, type TestDatabase } from '@eep/test/support/postgres-server'
import type { Footprint } from './footprint.ts'
import { type Figures, NAMES, type Part, partsOf, type Run } from './parts.ts'
import { type Row, resultsPage, standaloneSections, withStandaloneSection } from './results.ts'
import { stopServers } from './server-process.ts'

const HELP = `npm run bench             measures everything, and writes bench/results.md
npm run bench -- NAME     measures one part, and writes nothing, except million, which updates its section

${Object.entries(NAMES)
  .map(([name, what]) => `  ${name.padEnd(10)}${what}`)
  .join('\n')}`

const only = process.argv[2]
if (only !== undefined && !(only in NAMES)) {
  const isHelp = only === '--help' || only === '-h'
  console.log(isHelp ? HELP : `There is no ${only} to measure.\n\n${HELP}`)
  process.exit(isHelp ? 0 : 1)
}

const loads = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')

const page = new URL('../results.md', import.meta.url)
const written = await readFile(page, 'utf8').catch(() => '')
const before = loads()
// A quarter of the memory, as the manual of PostgreSQL recommends.
const server = await startPostgresServer(undefined, { sharedBuffersMiB: Math.floor(totalmem() / 4 / 2 ** 20) })
const hasPostgres = server.kind !== 'pglite'
const rows: Row[] = []
const footprints: Footprint[] = []
const failed: string[] = []

/** Measures the parts that are for a database. */
async function measureOn(
  database: 'PostgreSQL' | 'PGlite',
  connectionStrings: Run['connectionStrings'],
  parts: readonly Part[],
): Promise<void> {
  const isPostgres = database === 'PostgreSQL'
  for (const { name, on, measure } of parts) {
    if (on === 'postgres' && !isPostgres) continue
    if (on === 'either' && isPostgres !== hasPostgres) continue
    const made: TestDatabase[] = []
    async function newDatabase(): Promise<string> {
      const next = await createDatabaseOn(server)
      made.push(next)
      return next.connectionString
    }
    const figures = await measure({ server, connectionStrings, newDatabase }).catch((error: unknown): Figures => {
      // Keep the results of the other parts, which take an hour.
      console.error(`${database}: ${name} failed:`, error)
      failed.push(`${name} (${database})`)
      stopServers()
      return {}
    })
    for (const { drop } of made) await drop().catch((error: unknown) => console.error(`${name}:`, error))
    for (const { note, ...row } of figures.rows ?? []) {
      rows.push({ database, ...row })
      const details = note === undefined ? '' : `, ${note}`
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must.toFixed(2)})${details}`)
    }
    for (const row of figures.footprints ?? []) {
      footprints.push({ database, ...row })
      const limit = row.must === undefined ? '' : ` (at most ${row.must})`
      console.log(`${database}: ${row.what}: ${row.value} ${row.unit}${limit}`)
    }
  }
}

const parts = partsOf(only)
try {
  if (hasPostgres) {
    const databases = [await createDatabaseOn(server), await createDatabaseOn(server)] as const
    const connectionStrings = [databases[0].connectionString, databases[1].connectionString] as const
    await measureOn('PostgreSQL', connectionStrings, parts)
  }
  await measureOn('PGlite', undefined, parts)
} finally {
  await server.stop()
}
const results = { rows, footprints, failed, loads: { before, after: loads() } }
if (only === undefined) await writeFile(page, resultsPage({ ...results, standalone: standaloneSections(written) }))
else if (parts.some(({ standalone }) => standalone) && rows.length > 0 && failed.length === 0)
  await writeFile(page, withStandaloneSection(written, only, results))

const missed = rows.filter(({ ratio, must }) => ratio < must)
for (const { database, what, ratio, must } of missed)
  console.error(`missed: ${database}, ${what}: ${ratio.toFixed(2)} < ${must}`)
const large = footprints.filter(({ value, must = Number.POSITIVE_INFINITY }) => value > must)
for (const { database, what, value, must, unit } of large)
  console.error(`missed: ${database}, ${what}: ${value} ${unit} > ${must} ${unit}`)
for (const part of failed) console.error(`failed: ${part}`)
const misses = missed.length + large.length + failed.length
console.log(
  misses === 0 ? 'all bars are met' : `${misses} of ${rows.length + footprints.length + failed.length} bars are missed`,
)
// What a part that failed left open must not keep the process running.
process.exit(misses > 0 ? 1 : 0)
