import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { createDatabaseOn, startPostgresServer } from '@eep/test/support/postgres-server'
import type { Answer } from './bare.ts'
import { measureFiles } from './files.ts'
import { measureLogins } from './logins.ts'
import { compare, type Pair } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'
import { measureTree } from './tree.ts'

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

/** `npm run bench -- entitled` measures one case and writes no results. */
const only = process.argv[2]
const cases = all.filter(({ name }) => only === undefined || name === only)

/** Headers that say how the bytes travel; the bare server makes its own. */
const TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'])

async function answerOf(url: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { headers })
  const sent = [...response.headers].filter(([name]) => !TRANSPORT.has(name))
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  return { status: response.status, headers: Object.fromEntries(sent), body }
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
    const load = { url: url + path(subject.report), headers: headers(subject.report) }
    const pair = await compare(load, {
      url: `${bare.report.url}/${select ? 'select/' : ''}${name}`,
      headers: load.headers,
    })
    const against = select ? 'one SELECT by key in a bare route' : 'a bare route, same bytes and headers'
    rows.push({ database, what, against, must, ...pair })
    console.log(`${database}: ${what}: ${pair.ratio.toFixed(2)} (must ${must})`)
  }

  if (only !== undefined) {
    bare.stop()
    subject.stop()
    return rows
  }
  const json = { url: url + subject.report.profile, headers: { accept: 'application/json' } }
  const etag = String(answers.json?.headers.etag)
  const pair = await compare({ ...json, headers: { ...json.headers, 'if-none-match': etag } }, json)
  rows.push({ database, what: 'public profile, If-None-Match, 304', against: 'its own 200', must: 1, ...pair })
  console.log(`${database}: 304: ${pair.ratio.toFixed(2)} (must 1)`)
  bare.stop()
  subject.stop()
  return rows
}

/** The cases of one database, and how it reads while many sign in. */
async function measureAll(database: string, connectionStrings: readonly [string, string] | undefined): Promise<Row[]> {
  const rows = cases.length > 0 ? await measure(database, connectionStrings) : []
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
  if (only !== undefined && only !== 'logins') return rows
  const pair = await measureLogins(connectionStrings?.[1])
  const what = 'p99 of the public profile while 200 sign in at once'
  rows.push({ database, what, against: 'the same without them', must: 0.2, ...pair })
  console.log(
    `${database}: logins: ${pair.ratio.toFixed(2)} (must 0.2), p99 ${pair.subject.p99Ms} against ${pair.bare.p99Ms} ms, ${rate(pair.subject.requestsPerSecond)} against ${rate(pair.bare.requestsPerSecond)} requests/s, ${pair.memoryMiB} MiB more`,
  )
  return rows
}

const rate = (value: number) => Math.round(value).toLocaleString('en')

const report = (rows: readonly Row[]) => `# Results

Written by \`npm run bench\`: autocannon with 20 connections on the same machine (${cpus().length} cores, Node ${process.version}),
medians of three rounds by turns. Only the ratios mean something; the machines are noisy.
The rows about sign-ins compare p99 instead of requests/s and are medians of three rounds. The rows about files are medians of
five rounds; their rates are MB/s, and their times those of a whole file.

| database | what | against | must reach | ratio | requests/s | against, requests/s | p99 ms | against, p99 ms |
|---|---|---|---|---|---|---|---|---|
${rows
  .map(
    ({ database, what, against, must, ratio, subject, bare }) =>
      `| ${database} | ${what} | ${against} | ${must.toFixed(2)} | **${ratio.toFixed(2)}** | ${rate(subject.requestsPerSecond)} | ${rate(bare.requestsPerSecond)} | ${subject.p99Ms} | ${bare.p99Ms} |`,
  )
  .join('\n')}
`

const server = await startPostgresServer()
const rows: Row[] = []
try {
  if (server.kind !== 'pglite') {
    const databases = [await createDatabaseOn(server), await createDatabaseOn(server)] as const
    rows.push(...(await measureAll('PostgreSQL', [databases[0].connectionString, databases[1].connectionString])))
  }
  rows.push(...(await measureAll('PGlite', undefined)))
} finally {
  await server.stop()
}
if (only === undefined) await writeFile(new URL('../results.md', import.meta.url), report(rows))
const missed = rows.filter(({ ratio, must }) => ratio < must)
for (const { database, what, ratio, must } of missed)
  console.error(`missed: ${database}, ${what}: ${ratio.toFixed(2)} < ${must}`)
process.exitCode = missed.length > 0 ? 1 : 0
