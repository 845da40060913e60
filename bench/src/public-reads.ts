import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from './bare.ts'
import { startExampleHost } from './example-host.ts'
import { answerOf, compare, type Pair } from './measure.ts'
import { fixed, type Row } from './results.ts'
import { addReader, addSeller, type Seller } from './seller.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

/** A row before its database is known, and more of it to print. */
export interface Figure extends Omit<Row, 'database'> {
  readonly note?: string | undefined
}

/** A request whose requests per second must reach a part of those of a bare route with the same bytes. */
export interface ReadCase {
  readonly name: string
  readonly what: string
  readonly must: number
  readonly path: (subject: Subject) => string
  readonly headers: (subject: Subject) => Record<string, string>
  /** The bare route reads one row first. */
  readonly select?: true
}

export const READ_CASES: readonly ReadCase[] = [
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

const SAME_BYTES = 'a bare route, same bytes and headers'
const ONE_SELECT = 'one SELECT by key in a bare route'

/** Processor time per request: the ratio of both servers, their microseconds, and those of the load against the bare one. */
export const processors = ({ subject, bare, cpuRatio }: Pair): string => {
  const [ours, theirs, load] = [subject.serverMicros, bare.serverMicros, bare.loadMicros].map((each) => fixed(each, 0))
  return `processor ${fixed(cpuRatio, 2)}: ${ours} against ${theirs} µs, load ${load} µs`
}

const figure = (row: Omit<Figure, 'note'>): Figure => ({ ...row, note: processors(row) })

/** Measures reads of a service against a bare route; with all cases also a 304 against the whole answer. */
export async function measureReads(
  connectionStrings: readonly [string, string] | undefined,
  cases: readonly ReadCase[],
): Promise<readonly Figure[]> {
  const [ours, theirs] = connectionStrings ?? []
  const service = await startServer<Subject>('./subject.ts', { connectionString: ours })
  const { url } = service.report
  const answers: Record<string, Answer> = {}
  for (const { name, path, headers } of cases)
    answers[name] = await answerOf(url + path(service.report), headers(service.report))
  const bare = await startServer<{ url: string }>('./bare.ts', { connectionString: theirs, answers })

  const figures: Figure[] = []
  for (const { name, what, must, path, headers, select } of cases) {
    const load = { url: url + path(service.report), headers: headers(service.report), pid: service.pid }
    const pair = await compare(load, {
      url: `${bare.report.url}/${select ? 'select/' : ''}${name}`,
      headers: load.headers,
      pid: bare.pid,
    })
    const against = select ? ONE_SELECT : SAME_BYTES
    figures.push(figure({ what, against, must, ...pair }))
  }
  if (cases.length === READ_CASES.length) {
    const json = { url: url + service.report.profile, headers: { accept: 'application/json' }, pid: service.pid }
    const etag = String(answers.json?.headers.etag)
    const pair = await compare({ ...json, headers: { ...json.headers, 'if-none-match': etag } }, json)
    figures.push({ what: 'public profile, If-None-Match, 304', against: 'its own 200', must: 1, ...pair })
  }
  bare.stop()
  service.stop()
  return figures
}

/** What the example host must reach of a bare route, with request logs and rate limits. */
const HOST_CASES: readonly (Pick<ReadCase, 'name' | 'what' | 'must'> & {
  readonly path: (seller: Seller) => string
  readonly headers: (seller: Pick<Subject, 'payer'>) => Readonly<Record<string, string>>
  readonly select?: true
})[] = [
  ...(['json', 'markdown'] as const).map((name) => ({
    name,
    what: `public profile, ${name === 'json' ? 'JSON' : 'Markdown'}`,
    must: 0.6,
    path: ({ profile }: Seller) => profile,
    headers: () => ({ accept: name === 'json' ? 'application/json' : 'text/markdown' }),
  })),
  { name: 'gate', what: '402 challenge of a gated page', must: 0.35, path: ({ page }) => page, headers: () => ({}) },
  {
    name: 'entitled',
    what: 'entitled read of a gated page',
    must: 0.45,
    path: ({ page }) => page,
    headers: ({ payer }) => payer,
    select: true,
  },
]

/** Measures the example host as it is deployed against a bare route that logs and counts nothing, and reads one row at most. */
export async function measureExampleHost(
  connectionStrings: readonly [string, string] | undefined,
): Promise<readonly Figure[]> {
  const [connectionString, bareConnectionString] = connectionStrings ?? []
  const directory = await mkdtemp(join(tmpdir(), 'eep-bench-host-'))
  const host = await startExampleHost({ directory, connectionString })
  try {
    const seller = { ...(await addSeller(host.url)), payer: await addReader(host.url) }
    const answers: Record<string, Answer> = {}
    for (const { name, path, headers } of HOST_CASES)
      answers[name] = await answerOf(host.url + path(seller), headers(seller))
    const bare = await startServer<{ url: string }>('./bare.ts', { connectionString: bareConnectionString, answers })
    const figures: Figure[] = []
    for (const { name, what, must, path, headers, select } of HOST_CASES) {
      const sent = headers(seller)
      const pair = await compare(
        { url: host.url + path(seller), headers: sent, pid: host.pid },
        { url: `${bare.report.url}/${select ? 'select/' : ''}${name}`, headers: sent, pid: bare.pid },
      )
      const against = select ? ONE_SELECT : SAME_BYTES
      figures.push(figure({ what: `example host: ${what}`, against, must, ...pair }))
    }
    bare.stop()
    return figures
  } finally {
    await host.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
