import type { PostgresServer } from '@eep/test/support/postgres-server'
import { measureArchives } from './archives.ts'
import { measureAssistants } from './assistants.ts'
import { measureCatalogue } from './catalogue.ts'
import { measureEventLoop } from './event-loop.ts'
import { measureFeed } from './feed.ts'
import { measureFiles } from './files.ts'
import { type Footprint, measureFootprint } from './footprint.ts'
import { measureInstances } from './instances.ts'
import { measureLogins } from './logins.ts'
import type { Pair } from './measure.ts'
import { measurePages, PAGE_BAR } from './pages.ts'
import { type IsPart, measureShare } from './processor-share.ts'
import { type Figure, measureExampleHost, measureReads, processors, READ_CASES } from './public-reads.ts'
import { rate } from './results.ts'
import { measureScale, SCALE } from './scale.ts'
import { measureSearch } from './search.ts'
import { measureMillion } from './search-million.ts'
import { measureStreams } from './streams.ts'
import { measureTree } from './tree.ts'
import { measureTyping } from './typing.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWrites } from './writes.ts'

/** The databases of a run. */
export interface Run {
  readonly server: PostgresServer
  /** Two databases of the server; undefined for PGlite. */
  readonly connectionStrings: readonly [string, string] | undefined
  /** Creates a database that is dropped after the part, so that autovacuum does not disturb later parts. */
  readonly newDatabase: () => Promise<string>
}

/** What a part measured. */
export interface Figures {
  readonly rows?: readonly Figure[]
  readonly footprints?: readonly (Omit<Footprint, 'database'> & { readonly database?: string })[]
}

/** One part of the benchmarks. */
export interface Part {
  readonly name: string
  readonly what: string
  /** The databases that it runs on. `either`: nothing of it depends on the database, so one is enough, PostgreSQL if there is one. */
  readonly on: 'both' | 'postgres' | 'either'
  /** Takes too long for a whole run: it is measured by its name only, and has a separate section in the results. */
  readonly standalone?: boolean
  readonly measure: (run: Run) => Promise<Figures>
}

/** A part on PostgreSQL. */
type PostgresMeasure = (
  databases: readonly [string, string],
  newDatabase: () => Promise<string>,
  server: PostgresServer,
) => Promise<Figures>

/** A database of the part alone, because most of them register the same seller; undefined for PGlite. */
const ownDatabase = async ({ connectionStrings, newDatabase }: Run) => connectionStrings && (await newDatabase())

const onPostgres = (
  name: string,
  what: string,
  measure: PostgresMeasure,
  { standalone = false }: Pick<Part, 'standalone'> = {},
): Part => ({
  name,
  what: `${what} (PostgreSQL)`,
  on: 'postgres',
  standalone,
  async measure({ server, connectionStrings, newDatabase }) {
    if (!connectionStrings) throw new Error(`${name} needs PostgreSQL`)
    return measure(connectionStrings, newDatabase, server)
  },
})

const rates = ({ subject, bare }: Pair, unit = '') =>
  [subject, bare].map(({ requestsPerSecond }) => rate(requestsPerSecond) + unit).join(' against ')

/** What can be measured alone, in the order of a whole run. */
const PARTS: readonly Part[] = [
  {
    name: 'host',
    what: 'the example host, against a bare route',
    on: 'both',
    measure: async ({ connectionStrings, newDatabase }) => ({
      rows: await measureExampleHost(connectionStrings && [await newDatabase(), await newDatabase()]),
    }),
  },
  {
    name: 'analytics',
    what: 'the share of counting in reads of the public profile',
    on: 'either',
    async measure(run) {
      const isCounting: IsPart = (name, file) => name === 'countVisit' || file.includes('/modules/insight/analytics/')
      const value = await measureShare(() => ownDatabase(run), {}, isCounting)
      const what = 'share of counting in the processor time of reads of a public profile, JSON'
      return { footprints: [{ what, must: 3, value, unit: '%' }] }
    },
  },
  {
    name: 'metrics',
    what: 'the share of metrics in reads of the public profile',
    on: 'either',
    async measure(run) {
      const isMeasuring: IsPart = (_name, file) => /\/(measure-requests|prometheus)\.ts$|\/prom-client\//.test(file)
      const value = await measureShare(() => ownDatabase(run), { metrics: true }, isMeasuring)
      const what = 'share of metrics in the processor time of reads of a public profile, JSON'
      return { footprints: [{ what, must: 3, value, unit: '%' }] }
    },
  },
  onPostgres('assistants', 'MCP and tokens of apps', async (_, newDatabase) => ({
    rows: await measureAssistants(await newDatabase()),
  })),
  // PGlite is in one process.
  onPostgres('instances', 'reads of two instances, against one', async (_, newDatabase) => {
    const rows = await measureInstances(await newDatabase(), await newDatabase())
    return { rows: rows.map((row) => ({ ...row, note: processors(row) })) }
  }),
  {
    name: 'tree',
    what: 'pages and lists of a profile with 100,000 pages',
    on: 'both',
    async measure({ connectionStrings }) {
      const rows = await measureTree(connectionStrings?.[1])
      return { rows: rows.map((row) => ({ against: 'the same of 100 pages', ...row })) }
    },
  },
  {
    name: 'files',
    what: 'uploads and downloads of 100 MB',
    on: 'either',
    async measure({ connectionStrings }) {
      const rows = await measureFiles(connectionStrings)
      const against = 'a bare route, same store'
      return { rows: rows.map((row) => ({ against, must: 0.6, ...row, note: rates(row, ' MB/s') })) }
    },
  },
  {
    name: 'typing',
    what: 'our handlers for each key in the editor of a page of 1 MB',
    on: 'either',
    async measure() {
      const value = await measureTyping()
      const what = 'our handlers for one key in the editor of a page of 1 MB, the slowest'
      return { footprints: value === undefined ? [] : [{ what, must: 4, value: Number(value.toFixed(1)), unit: 'ms' }] }
    },
  },
  // The memory of PGlite is that of the process.
  onPostgres(
    'archives',
    'memory of the export and the import of a profile with 1 GB of files',
    async (_, newDatabase) => ({ footprints: await measureArchives([await newDatabase(), await newDatabase()]) }),
  ),
  // PGlite has one connection, so its writers take turns anyway.
  onPostgres('writes', 'concurrent writers of events', async ([database], _, { kind }) => {
    const rows = await measureWrites(database, kind)
    return { rows: rows.map((row) => ({ against: 'the same with a lock around the log', ...row, note: rates(row) })) }
  }),
  // Hosts that deliver much, have millions of rows or are searched much do not use PGlite, which has one connection.
  onPostgres('webhooks', 'deliveries of one instance', async (_, newDatabase) => {
    const rows = await measureWebhooks(await newDatabase())
    return { rows: rows.map((row) => ({ against: 'a fixed rate', ...row, note: rates(row) })) }
  }),
  // A PGlite would share the thread whose blocks are measured.
  onPostgres('loop', 'how long the largest requests block the event loop', async (_, newDatabase) => ({
    footprints: await measureEventLoop(await newDatabase()),
  })),
  onPostgres('feed', 'feeds among a million posts', async (_, newDatabase) => ({
    footprints: await measureFeed(await newDatabase()),
  })),
  onPostgres('scale', 'reads among millions of rows, against small tables; SCALE=0.1 for a tenth', async () => {
    const rows = await measureScale()
    const against = 'the same on 20,000 profiles'
    return { rows: rows.map((row) => ({ against, ...row, what: `${row.what}, at ${SCALE} million profiles` })) }
  }),
  onPostgres(
    'search',
    'searches by words and by meaning among 100,000 pages, and what they find',
    async (_, newDatabase) => measureSearch(await newDatabase()),
  ),
  onPostgres('catalogue', 'the catalogue of 100,000 priced pages, against 1,000', async (_, newDatabase) => {
    const rows = await measureCatalogue(await newDatabase(), await newDatabase())
    return { rows: rows.map((row) => ({ against: 'the same of 1,000 pages', ...row })) }
  }),
  onPostgres(
    'million',
    'searches by words among a million pages, only when named: it takes half an hour, and updates its section of the results',
    async (_, newDatabase) => measureMillion(await newDatabase()),
    { standalone: true },
  ),
  // Streams of several instances need a database that all of them can open.
  onPostgres('streams', 'event streams: fan-out, latency and memory', async (_, newDatabase) => {
    const { rows, footprints } = await measureStreams(newDatabase)
    const against = 'a bare loop over the same sockets'
    return { rows: rows.map((row) => ({ against, ...row, note: rates(row) })), footprints }
  }),
  {
    name: 'pages',
    what: 'the largest contentful paint of a page, against a static file (needs Chromium)',
    on: 'either',
    async measure(run) {
      const painted = await measurePages(await ownDatabase(run))
      if (!painted) console.log('paints of pages: not measured, because no Chromium is installed')
      const note = ({ subject, bare }: Pair) => `${subject.p99Ms} ms against ${bare.p99Ms} ms`
      const against = 'static files of the same bytes'
      return { rows: (painted ?? []).map((row) => ({ against, must: PAGE_BAR, ...row, note: note(row) })) }
    },
  },
  {
    name: 'logins',
    what: 'reads during concurrent sign-ins',
    on: 'both',
    async measure(run) {
      const { memoryMiB, ...pair } = await measureLogins(await ownDatabase(run))
      const { subject, bare } = pair
      const what = 'p99 of the public profile during 200 concurrent sign-ins'
      const note = `p99 ${subject.p99Ms} against ${bare.p99Ms} ms, ${rate(subject.requestsPerSecond)} against ${rate(bare.requestsPerSecond)} requests/s, ${memoryMiB} MiB more`
      return { rows: [{ what, against: 'the same without them', must: 0.2, ...pair, note }] }
    },
  },
  {
    name: 'footprint',
    what: 'start and memory of hosts',
    on: 'either',
    measure: async (run) => ({
      footprints: await measureFootprint(await ownDatabase(run)),
    }),
  },
]

const readPart = (cases: typeof READ_CASES): Part => ({
  name: 'reads',
  what: 'public reads, against a bare route',
  on: 'both',
  measure: async ({ connectionStrings }) => ({ rows: await measureReads(connectionStrings, cases) }),
})

/** The names that can be measured alone, and what each measures. */
export const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...READ_CASES.map(({ name, what }) => [name, `${what}, against a bare route`] as const),
  ...PARTS.map(({ name, what }) => [name, what] as const),
])

/** The parts to measure: all, or those of one name. */
export function partsOf(name: string | undefined): readonly Part[] {
  if (name === undefined) return [readPart(READ_CASES), ...PARTS.filter(({ standalone }) => !standalone)]
  const cases = READ_CASES.filter((each) => each.name === name)
  return cases.length > 0 ? [readPart(cases)] : PARTS.filter((part) => part.name === name)
}
