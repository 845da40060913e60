import { cpus, getPriority, loadavg, totalmem } from 'node:os'
import { p95 } from '../measure.ts'
import type { Checks } from './checks.ts'
import type { Window } from './growth.ts'
import type { Fault, Tally } from './traffic.ts'

/** What the report is made of. */
export interface Run {
  readonly startedAt: Date
  readonly minutes: number
  /** Fewer than `minutes` when the run was interrupted. */
  readonly doneMinutes: number
  readonly postgres: string
  readonly commit: string
  readonly maximum: number
  readonly rate: number
  readonly achieved: number
  readonly completed: number
  readonly notStarted: number
  readonly loadBefore: readonly number[]
  readonly tallies: ReadonlyMap<string, Tally>
  readonly lost: ReadonlyMap<string, number>
  readonly faults: readonly Fault[]
  readonly windows: readonly Window[]
  readonly checks: Checks
  /** Lines of the logs by message. */
  readonly messages: ReadonlyMap<string, number>
}

const MIB = 1_048_576
const number = (value: number, digits = 0) =>
  Number.isFinite(value)
    ? value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : ''
const loads = (values: readonly number[]) => values.map((load) => load.toFixed(1)).join(', ')
const p50 = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

function faultsOf(run: Run): string {
  const kinds = Map.groupBy(run.faults, ({ kind }) => kind)
  return table(
    ['fault', 'times', 'recovered after, median', 'longest'],
    [...kinds].map(([kind, faults]) => {
      const seconds = faults.map(({ at, recoveredAt = Number.NaN }) => (recoveredAt - at) / 1_000)
      return [kind, faults.length, `${number(p50(seconds), 1)} s`, `${number(Math.max(...seconds), 1)} s`]
    }),
  )
}

function windowsOf(windows: readonly Window[]): string {
  return table(
    ['at', 'heap', 'buffers', 'RSS', 'file descriptors', 'event loop resources', 'connections to PostgreSQL'],
    windows.map((each) => [
      `${number(each.second)} s`,
      `${number(each.heapMiB, 1)} MiB`,
      `${number(each.externalMiB, 1)} MiB`,
      `${number(each.rssMiB)} MiB`,
      each.descriptors,
      each.resources,
      each.connections,
    ]),
  )
}

function tablesOf(windows: readonly Window[]): string {
  const [first, last] = [windows[0], windows.at(-1)]
  if (!first || !last) return ''
  const rows = [...last.tables]
    .filter(([, { bytes }]) => bytes > MIB / 2)
    .sort(([, left], [, right]) => right.bytes - left.bytes)
    .map(([name, { rows, bytes }]) => {
      const before = first.tables.get(name) ?? { rows: 0, bytes: 0 }
      const perRow = ({ rows, bytes }: typeof before) => number(bytes / Math.max(1, rows))
      return [
        `\`${name}\``,
        number(before.rows),
        number(rows),
        `${number(before.bytes / MIB, 1)} MiB`,
        `${number(bytes / MIB, 1)} MiB`,
        perRow(before),
        perRow({ rows, bytes }),
      ]
    })
  return table(
    ['table', 'rows, first', 'rows, last', 'size, first', 'size, last', 'bytes/row, first', 'bytes/row, last'],
    rows,
  )
}

/** Writes a run as Markdown. */
export function reportOf(run: Run): string {
  const checks = run.checks.list()
  const failed = checks.filter(({ count }) => count > 0)
  const [cpu] = cpus()
  return `# Soak

Written by \`npm run soak\`: ${run.doneMinutes} minutes of mixed load on two instances of the example host over one PostgreSQL and one
directory of files, with a kill -9 of one instance and a restart of the database in each minute. The first instance is never
killed, so that growth is visible; the second one is started again after a second.

**${failed.length === 0 ? 'All checks passed.' : `${failed.length} of ${checks.length} checks failed.`}**${run.doneMinutes < run.minutes ? ` The run was interrupted after ${run.doneMinutes} of ${run.minutes} minutes.` : ''}

${table(
  ['', ''],
  [
    ['started', run.startedAt.toISOString()],
    ['commit', run.commit],
    [
      'machine',
      `${cpus().length} × ${cpu?.model ?? 'processor'}, ${number(totalmem() / 1_024 ** 3)} GiB; clients, instances, chain and database share it, at niceness ${getPriority()}`,
    ],
    ['load average before (1, 5, 15 min)', loads(run.loadBefore)],
    ['load average after', loads(loadavg())],
    ['software', `Node ${process.version}, ${run.postgres} with durable commits`],
    ['measured maximum', `${number(run.maximum)} operations/s, 24 clients, no faults`],
    ['load', `${number(run.rate)} operations/s wanted (80 %), ${number(run.achieved)} completed per second of load`],
    [
      'operations',
      `${number(run.completed)} completed, ${number(run.notStarted)} not started because those of five seconds were open`,
    ],
  ],
)}

## Checks

${table(
  ['check', 'result', 'figures'],
  checks.map(({ sentence, count, note }) => [
    sentence,
    count === 0 ? 'passed' : `**${number(count)} violations**`,
    note,
  ]),
)}
${failed.map(({ sentence, examples }) => `\n### ${sentence}\n\n${examples.map((each) => `- \`${each.replaceAll('`', "'").replaceAll('\n', ' ')}\``).join('\n')}\n`).join('')}
## Requests

Times of answers in milliseconds, apart from and during faults (from a fault until 5 seconds after everything was ready). A repetition
is an attempt that was refused, cut off or answered with 5xx, and then made again.

${table(
  ['request', 'count', 'p50', 'p95', 'count in faults', 'p95 in faults', 'repetitions', 'reads without an answer'],
  [...run.tallies].map(([kind, { times, timesInFaults, retried, failed: unanswered }]) => [
    kind,
    number(times.length),
    number(p50(times), 1),
    number(p95(times), 1),
    number(timesInFaults.length),
    number(p95(timesInFaults), 1),
    number(retried),
    number(unanswered),
  ]),
)}

Attempts without a response: ${[...run.lost].map(([code, count]) => `${count} × \`${code}\``).join(', ') || 'none'}.

## Faults

${faultsOf(run)}

## Growth

The first instance, without load and after garbage collections:

${windowsOf(run.windows)}

Tables of more than half a MiB, with their indexes:

${tablesOf(run.windows)}

## Logs

Lines of both instances from level \`warn\` on, by message:

${table(
  ['message', 'lines'],
  [...run.messages]
    .sort(([, left], [, right]) => right - left)
    .map(([message, count]) => [message.replaceAll('|', '\\|'), count]),
)}
`
}
