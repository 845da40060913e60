import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabaseOn, startPostgresServer } from '@eep/test/support/postgres-server'
import { measureArchives } from './archives.ts'
import type { Answer } from './bare.ts'
import { startExampleHost } from './example-host.ts'
import { measureFeed } from './feed.ts'
import { measureFiles } from './files.ts'
import { type Footprint, measureFootprint } from './footprint.ts'
import { measureInstances } from './instances.ts'
import { measureLogins } from './logins.ts'
import { answerOf, compare, type Pair } from './measure.ts'
import { measurePages, PAGE_BAR } from './pages.ts'
import { measureScale, SCALE } from './scale.ts'
import { measureSearch } from './search.ts'
import { addSeller, type Seller } from './seller.ts'
import { startServer } from './server-process.ts'
import { measureStreams } from './streams.ts'
import type { Subject } from './subject.ts'
import { measureTree } from './tree.ts'
import { measureWebhooks } from './webhooks.ts'
import { measureWithAndWithout } from './with-and-without.ts'
import { measureWrites } from './writes.ts'

/** One line of the results. */
interface Row extends Pair {
  readonly database: string
  readonly what: string
  readonly against: string
  readonly must: number
}

interface Case {
  readonly name: string
  readonly what: string
  readonly must: number
  readonly path: (subject: Subject) => string
  readonly headers: (subject: Subject) => Record<string, string>
  /** The bare route reads one row first. */
  readonly select?: true
}

const all: readonly Case[] = [
  {
    name: 'json',
    what: 'public profile, JSON',
    must: 0.7,
    path: ({ profile }) => profile,
    headers: () => ({ accept: 'application/json' }),
  },
  {
    name: 'markdown',
    what: 'public profile, Markdown',
    must: 0.7,
    path: ({ profile }) => profile,
    headers: () => ({}),
  },
  { name: 'gate', what: '402 challenge of a gated page', must: 0.4, path: ({ page }) => page, headers: () => ({}) },
  {
    name: 'entitled',
    what: 'entitled read of a gated page',
    must: 0.6,
    path: ({ page }) => page,
    headers: ({ payer }) => ({ ...payer }),
    select: true,
  },
]

/** What `npm run bench -- NAME` can measure alone. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(all.map(({ name, what }) => [name, `${what}, against a bare route`])),
  host: 'the example host, against a bare route',
  analytics: 'the public profile, with and without counting reads',
  metrics: 'the public profile, with and without metrics',
  instances: 'reads of two instances, against one (PostgreSQL)',
  tree: 'pages and lists of a profile with 100,000 pages',
  files: 'uploads and downloads of 100 MB',
  archives: 'memory of the export and the import of a profile with 1 GB of files (PostgreSQL)',
  writes: 'concurrent writers of events (PostgreSQL)',
  feed: 'feeds among a million posts (PostgreSQL)',
  search: 'searches by words and by meaning among 100,000 pages, and what they find (PostgreSQL)',
  scale: 'reads among millions of rows, against small tables (PostgreSQL; SCALE=0.1 for a tenth)',
  webhooks: 'deliveries of one instance (PostgreSQL)',
  streams: 'event streams: fan-out, latency and memory (PostgreSQL)',
  pages: 'the largest contentful paint of a page, against a static file (needs Chromium)',
  logins: 'reads during concurrent sign-ins',
  footprint: 'start and memory of hosts',
}

const HELP = `npm run bench             measures everything, and writes bench/results.md
npm run bench -- NAME     measures one part, and writes nothing

${Object.entries(NAMES)
  .map(([name, what]) => `  ${name.padEnd(10)}${what}`)
  .join('\n')}`

const only = process.argv[2]
if (only !== undefined && !(only in NAMES)) {
  const isHelp = only === '--help' || only === '-h'
  console.log(isHelp ? HELP : `There is no ${only} to measure.\n\n${HELP}`)
  process.exit(isHelp ? 0 : 1)
}
const cases = all.filter(({ name }) => only === undefined || name === only)

/** Processor time per request: the ratio of both servers, their microseconds, and those of the load against the bare one. */
const processors = ({ subject, bare, cpuRatio }: Pair) => {
  const [ours, theirs, load] = [subject.serverMicros, bare.serverMicros, bare.loadMicros].map((each) => fixed(each, 0))
  return `, processor ${fixed(cpuRatio, 2)}: ${ours} against ${theirs} µs, load ${load} µs`
}

async function measure(database: string, connectionStrings: readonly [string, string] | undefined): Promise<Row[]> {
  const [ours, theirs] = connectionStrings ?? []
  const subject = await startServer<Subject>('./subject.ts', { connectionString: ours })
  const { url } = subject.report
  const answers: Record<string, Answer> = {}
  for (const { name, path, headers } of cases)
    answers[name] = await answerOf(url + path(subject.report), headers(subject.report))
  const bare = await startServer<{ url: string }>('./bare.ts', { connectionString: theirs, answers })

  const rows: Row[] = []
  for (const { name, what, must, path, headers, select } of cases) {
    const load = { url: url + path(subject.report), headers: headers(subject.report), pid: subject.pid }
    const pair = await compare(load, {
      url: `${bare.report.url}/${select ? 'select/' : ''}${name}`,
      headers: load.headers,
      pid: bare.pid,
    })
    const against = select ? 'one SELECT by key in a bare route' : 'a bare route, same bytes and headers'
    rows.push({ database, what, against, must, ...pair })
    console.log(`${database}: ${what}: ${pair.ratio.toFixed(2)} (must ${must})${processors(pair)}`)
  }

  if (only !== undefined) {
    bare.stop()
    subject.stop()
    return rows
  }
  const json = { url: url + subject.report.profile, headers: { accept: 'application/json' }, pid: subject.pid }
  const etag = String(answers.json?.headers.etag)
  const pair = await compare({ ...json, headers: { ...json.headers, 'if-none-match': etag } }, json)
  rows.push({ database, what: 'public profile, If-None-Match, 304', against: 'its own 200', must: 1, ...pair })
  console.log(`${database}: 304: ${pair.ratio.toFixed(2)} (must 1)`)
  bare.stop()
  subject.stop()
  return rows
}

/** What the example host must reach of a bare route, with request logs and rate limits. */
const HOST_CASES: readonly (Pick<Case, 'name' | 'what' | 'must'> & {
  readonly path: (seller: Seller) => string
  readonly headers: Readonly<Record<string, string>>
})[] = [
  ...(['json', 'markdown'] as const).map((name) => ({
    name,
    what: `public profile, ${name === 'json' ? 'JSON' : 'Markdown'}`,
    must: 0.6,
    path: ({ profile }: Seller) => profile,
    headers: { accept: name === 'json' ? 'application/json' : 'text/markdown' },
  })),
  { name: 'gate', what: '402 challenge of a gated page', must: 0.35, path: ({ page }) => page, headers: {} },
]

/** The example host as it is deployed, against a bare route that logs and counts nothing. */
async function measureExampleHost(database: string, connectionString: string | undefined): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), 'eep-bench-host-'))
  const host = await startExampleHost({ directory, connectionString })
  try {
    const seller = await addSeller(host.url)
    const answers: Record<string, Answer> = {}
    for (const { name, path, headers } of HOST_CASES) answers[name] = await answerOf(host.url + path(seller), headers)
    const bare = await startServer<{ url: string }>('./bare.ts', { answers })
    const rows: Row[] = []
    for (const { name, what, must, path, headers } of HOST_CASES) {
      const pair = await compare(
        { url: host.url + path(seller), headers, pid: host.pid },
        { url: `${bare.report.url}/${name}`, headers, pid: bare.pid },
      )
      const against = 'a bare route, same bytes and headers'
      rows.push({ database, what: `example host: ${what}`, against, must, ...pair })
      console.log(`${database}: example host: ${what}: ${pair.ratio.toFixed(2)} (must ${must})${processors(pair)}`)
    }
    bare.stop()
    return rows
  } finally {
    await host.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** The cases of one database, and how it reads while many sign in. */
async function measureAll(database: string, connectionStrings: readonly [string, string] | undefined): Promise<Row[]> {
  const rows = cases.length > 0 ? await measure(database, connectionStrings) : []
  if (only === undefined || only === 'host') {
    rows.push(
      ...(await measureExampleHost(database, connectionStrings && (await createDatabaseOn(server)).connectionString)),
    )
  }
  if ((only === undefined || only === 'analytics') && (connectionStrings || server.kind === 'pglite')) {
    const pair = await measureWithAndWithout(server, {}, { modules: { analytics: false, insights: false } })
    const what = 'public profile, JSON, with its reads counted'
    rows.push({ database, what, against: 'the same without the module analytics', must: 0.97, ...pair })
    const rates = [pair.subject, pair.bare].map(({ requestsPerSecond }) => rate(requestsPerSecond))
    console.log(`${database}: ${what}: ${pair.ratio.toFixed(2)} (must 0.97), ${rates.join(' against ')}`)
  }
  if ((only === undefined || only === 'metrics') && (connectionStrings || server.kind === 'pglite')) {
    const pair = await measureWithAndWithout(server, { metrics: true }, {})
    const what = 'public profile, JSON, measured for Prometheus'
    rows.push({ database, what, against: 'the same without metrics', must: 0.97, ...pair })
    console.log(`${database}: ${what}: ${pair.ratio.toFixed(2)} (must 0.97)${processors(pair)}`)
  }
  // PGlite is in one process.
  if ((only === undefined || only === 'instances') && connectionStrings) {
    for (const row of await measureInstances((await createDatabaseOn(server)).connectionString)) {
      rows.push({ database, ...row })
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must.toFixed(2)})${processors(row)}`)
    }
  }
  if (only === undefined || only === 'tree') {
    for (const row of await measureTree(connectionStrings?.[1])) {
      rows.push({ database, against: 'the same of 100 pages', ...row })
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must.toFixed(2)})`)
    }
  }
  // Nothing of it depends on the database; once is enough.
  if ((only === undefined || only === 'files') && (connectionStrings || server.kind === 'pglite')) {
    for (const row of await measureFiles(connectionStrings)) {
      rows.push({ database, against: 'a bare route, same store', must: 0.6, ...row })
      const rates = [row.subject, row.bare].map(({ requestsPerSecond }) => `${rate(requestsPerSecond)} MB/s`)
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must 0.6), ${rates.join(' against ')}`)
    }
  }
  // The memory of PGlite is that of the process.
  if ((only === undefined || only === 'archives') && connectionStrings) {
    const databases = [await createDatabaseOn(server), await createDatabaseOn(server)] as const
    for (const row of await measureArchives([databases[0].connectionString, databases[1].connectionString])) {
      footprints.push({ database, ...row })
      console.log(`${database}: ${row.what}: ${row.value} ${row.unit} (at most ${row.must})`)
    }
  }
  // PGlite has one connection, so its writers take turns anyway.
  if ((only === undefined || only === 'writes') && connectionStrings) {
    for (const row of await measureWrites(connectionStrings[0], server.kind)) {
      rows.push({ database, against: 'the same with a lock around the log', ...row })
      const rates = [row.subject, row.bare].map(({ requestsPerSecond }) => rate(requestsPerSecond))
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must}), ${rates.join(' against ')}`)
    }
  }
  // PGlite has one connection, and hosts that deliver much do not use it.
  if ((only === undefined || only === 'webhooks') && connectionStrings) {
    for (const row of await measureWebhooks((await createDatabaseOn(server)).connectionString)) {
      rows.push({ database, against: 'a fixed rate', ...row })
      const rates = [row.subject, row.bare].map(({ requestsPerSecond }) => rate(requestsPerSecond))
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must}), ${rates.join(' against ')}`)
    }
  }
  // PGlite has one connection, and hosts with a million posts do not use it.
  if ((only === undefined || only === 'feed') && connectionStrings) {
    for (const row of await measureFeed((await createDatabaseOn(server)).connectionString)) {
      footprints.push({ database, ...row })
      console.log(`${database}: ${row.what}: ${row.value} ${row.unit} (at most ${row.must})`)
    }
  }
  // The server has both databases on its disk. Hosts with millions of rows do not use PGlite.
  if ((only === undefined || only === 'scale') && connectionStrings) {
    for (const row of await measureScale()) {
      rows.push({
        database,
        against: 'the same on 20,000 profiles',
        ...row,
        what: `${row.what}, at ${SCALE} million profiles`,
      })
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must.toFixed(2)})`)
    }
  }
  // PGlite has one connection, and hosts that are searched much do not use it.
  if ((only === undefined || only === 'search') && connectionStrings) {
    const measured = await measureSearch((await createDatabaseOn(server)).connectionString)
    for (const row of measured.rows) {
      rows.push({ database, ...row })
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must})`)
    }
    for (const row of measured.footprints) {
      footprints.push({ database, ...row })
      console.log(`${database}: ${row.what}: ${row.value} ${row.unit} (at most ${row.must})`)
    }
  }
  // Streams of several instances need a database that all of them can open.
  if ((only === undefined || only === 'streams') && connectionStrings) {
    const measured = await measureStreams(async () => (await createDatabaseOn(server)).connectionString)
    for (const row of measured.rows) {
      rows.push({ database, against: 'a bare loop over the same sockets', ...row })
      const rates = [row.subject, row.bare].map(({ requestsPerSecond }) => rate(requestsPerSecond))
      console.log(`${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${row.must}), ${rates.join(' against ')}`)
    }
    for (const row of measured.footprints) {
      footprints.push({ database, ...row })
      console.log(`${database}: ${row.what}: ${row.value} ${row.unit} (at most ${row.must})`)
    }
  }
  // The database is read once; PostgreSQL is enough.
  if ((only === undefined || only === 'pages') && (connectionStrings || server.kind === 'pglite')) {
    const painted = await measurePages(connectionStrings?.[1])
    for (const row of painted ?? []) {
      rows.push({ database, against: 'static files of the same bytes', must: PAGE_BAR, ...row })
      const times = [row.subject, row.bare].map(({ p99Ms }) => `${p99Ms} ms`)
      console.log(
        `${database}: ${row.what}: ${row.ratio.toFixed(2)} (must ${PAGE_BAR.toFixed(2)}), ${times.join(' against ')}`,
      )
    }
    if (!painted) console.log(`${database}: paints of pages: not measured, because no Chromium is installed`)
  }
  if (only !== undefined && only !== 'logins') return rows
  const pair = await measureLogins(connectionStrings?.[1])
  const what = 'p99 of the public profile during 200 concurrent sign-ins'
  rows.push({ database, what, against: 'the same without them', must: 0.2, ...pair })
  console.log(
    `${database}: logins: ${pair.ratio.toFixed(2)} (must 0.2), p99 ${pair.subject.p99Ms} against ${pair.bare.p99Ms} ms, ${rate(pair.subject.requestsPerSecond)} against ${rate(pair.bare.requestsPerSecond)} requests/s, ${pair.memoryMiB} MiB more`,
  )
  return rows
}

/** Empty where no times are measured. */
const time = (ms: number) => (Number.isNaN(ms) ? '' : ms)
/** Empty where it is not measured. */
const fixed = (value: number | undefined, digits: number) =>
  value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits)
const rate = (value: number) => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'))

const report = (rows: readonly Row[], footprints: readonly Footprint[]) => `# Results

Written by \`npm run bench\`: autocannon with 20 connections on the same machine (${cpus().length} cores, Node ${process.version}),
medians of 15 rounds of one second by turns; a ratio is the median of those of each round. Only the ratios mean something; the
machines are noisy. The last four columns are processor time per request: its ratio, which other work on the machine changes
less, and the microseconds of the server, of the bare server and of the load against the bare one. Where the load takes longer
than the bare server, requests/s of the bare route are those of the load. Load averages of this machine
(1, 5 and 15 minutes) before the run: ${loadBefore}, and after it: ${loads()}.
The rows about sign-ins compare p99 instead of requests/s and are medians of three rounds. The rows about files are medians of
five rounds; their rates are MB/s, and their times those of a whole file. The rows about webhooks are medians of three rounds
against a fixed number of deliveries a second. The row about the
largest contentful paint has medians of 15 rounds by turns in Chromium in place of p99; 0.83 means 1.2 times the static file. The rows about two instances whose requests/s the load limits
compute from processor time per request how many requests two processors would serve. The rows about large tables compare p95 of single requests, in place of p99. The rows about streams are medians of 50 rounds by turns; their rates are frames/s.
The rows about writes use a server whose commits each wait 2 ms (\`commit_delay\`), as on a disk in a network: on a disk that
takes next to nothing, the processors are measured and not the log.
The rows about the example host measure
\`packages/host-example\` as \`npm start\` runs it, on the built packages, with its request log and counted rate limits.

| database | what | against | must reach | ratio | requests/s | against, requests/s | p99 ms | against, p99 ms | processor, ratio | processor, µs | against, µs | load, µs |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
${rows
  .map(
    ({ database, what, against, must, ratio, subject, bare, cpuRatio }) =>
      `| ${database} | ${what} | ${against} | ${must.toFixed(2)} | **${ratio.toFixed(2)}** | ${rate(subject.requestsPerSecond)} | ${rate(bare.requestsPerSecond)} | ${time(subject.p99Ms)} | ${time(bare.p99Ms)} | ${fixed(cpuRatio, 2)} | ${fixed(subject.serverMicros, 0)} | ${fixed(bare.serverMicros, 0)} | ${fixed(bare.loadMicros, 0)} |`,
  )
  .join('\n')}

## Time and memory

Starts are medians of three; memory is what the operating system counts (RSS), ten seconds after the start or after the last
stream was opened.

| database | what | at most | measured |
|---|---|---|---|
${footprints
  .map(
    ({ database, what, must, value, unit }) =>
      `| ${database} | ${what} | ${must === undefined ? '' : `${must} ${unit}`} | **${value} ${unit}** |`,
  )
  .join('\n')}
`

const loads = () =>
  loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')
const loadBefore = loads()
const server = await startPostgresServer()
const rows: Row[] = []
const footprints: Footprint[] = []
try {
  if (server.kind !== 'pglite') {
    const databases = [await createDatabaseOn(server), await createDatabaseOn(server)] as const
    rows.push(...(await measureAll('PostgreSQL', [databases[0].connectionString, databases[1].connectionString])))
  }
  rows.push(...(await measureAll('PGlite', undefined)))
  if (only === undefined || only === 'footprint') {
    const database = server.kind === 'pglite' ? undefined : await createDatabaseOn(server)
    footprints.push(...(await measureFootprint(database?.connectionString)))
  }
} finally {
  await server.stop()
}
if (only === undefined) await writeFile(new URL('../results.md', import.meta.url), report(rows, footprints))
const missed = rows.filter(({ ratio, must }) => ratio < must)
for (const { database, what, ratio, must } of missed)
  console.error(`missed: ${database}, ${what}: ${ratio.toFixed(2)} < ${must}`)
const large = footprints.filter(({ value, must = Number.POSITIVE_INFINITY }) => value > must)
for (const { database, what, value, must, unit } of large)
  console.error(`missed: ${database}, ${what}: ${value} ${unit} > ${must} ${unit}`)
const misses = missed.length + large.length
console.log(misses === 0 ? 'all bars are met' : `${misses} of ${rows.length + footprints.length} bars are missed`)
process.exitCode = misses > 0 ? 1 : 0
