import { cpus } from 'node:os'
import type { Footprint } from './footprint.ts'
import type { Pair } from './measure.ts'

/** One line of the results: a ratio that must be reached. */
export interface Row extends Pair {
  readonly database: string
  readonly what: string
  readonly against: string
  readonly must: number
}

/** Empty where no times are measured. */
const time = (ms: number) => (Number.isNaN(ms) ? '' : ms)

/** A number with some digits. Empty where it is not measured. */
export const fixed = (value: number | undefined, digits: number): string =>
  value === undefined || Number.isNaN(value) ? '' : value.toFixed(digits)

/** A whole number with separators. Empty where it is not measured. */
export const rate = (value: number): string => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'))

/** The measured rows, and the load of the machine. */
export interface Results {
  readonly rows: readonly Row[]
  readonly footprints: readonly Footprint[]
  /** The parts that could not be measured. */
  readonly failed: readonly string[]
  /** The sections of parts that a whole run leaves out. */
  readonly standalone: string
  /** The load averages of the machine. */
  readonly loads: { readonly before: string; readonly after: string }
}

const rowTable = (
  rows: readonly Row[],
) => `| database | what | against | must reach | ratio | requests/s | against, requests/s | p99 ms | against, p99 ms | processor, ratio | processor, µs | against, µs | load, µs |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
${rows
  .map(
    ({ database, what, against, must, ratio, subject, bare, cpuRatio }) =>
      `| ${database} | ${what} | ${against} | ${must.toFixed(2)} | **${ratio.toFixed(2)}** | ${rate(subject.requestsPerSecond)} | ${rate(bare.requestsPerSecond)} | ${time(subject.p99Ms)} | ${time(bare.p99Ms)} | ${fixed(cpuRatio, 2)} | ${fixed(subject.serverMicros, 0)} | ${fixed(bare.serverMicros, 0)} | ${fixed(bare.loadMicros, 0)} |`,
  )
  .join('\n')}`

const footprintTable = (footprints: readonly Footprint[]) => `| database | what | at most | measured |
|---|---|---|---|
${footprints
  .map(
    ({ database, what, must, value, unit }) =>
      `| ${database} | ${what} | ${must === undefined ? '' : `${must} ${unit}`} | **${value} ${unit}** |`,
  )
  .join('\n')}`

/** A section of bench/results.md that is measured by itself; whole runs keep it. */
const standaloneSection = (
  name: string,
  { rows, footprints, loads }: Omit<Results, 'standalone' | 'failed'>,
) => `<!-- ${name} -->

## \`npm run bench -- ${name}\`

Measured by itself, on ${cpus().length} cores with Node ${process.version}. Load averages (1, 5 and 15 minutes) before the run: ${loads.before}, and after it: ${loads.after}.

${rowTable(rows)}

${footprintTable(footprints)}

<!-- /${name} -->
`

const STANDALONE = /<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->\n?/g

/** The sections of a page that are measured by themselves. */
export const standaloneSections = (page: string): string =>
  [...page.matchAll(STANDALONE)].map(([section]) => `\n${section}`).join('')

/** The page with the new section of a part, in place of its last one. */
export function withStandaloneSection(
  page: string,
  name: string,
  results: Omit<Results, 'standalone' | 'failed'>,
): string {
  const others = page.replace(STANDALONE, (section, found: string) => (found === name ? '' : section))
  return `${others.trimEnd()}\n\n${standaloneSection(name, results)}`
}

/** Writes bench/results.md. */
export const resultsPage = ({ rows, footprints, failed, standalone, loads }: Results): string => `# Results

Written by \`npm run bench\`: autocannon with 20 connections on the same machine (${cpus().length} cores, Node ${process.version}),
medians of 15 rounds of one second by turns; a ratio is the median of those of each round. Only the ratios mean something; the
machines are noisy. PostgreSQL keeps pages in a quarter of the memory (\`shared_buffers\`). The last four columns are processor time per request: its ratio, which other work on the machine changes
less, and the microseconds of the server, of the bare server and of the load against the bare one. Where the load takes longer
than the bare server, requests/s of the bare route are those of the load. Load averages of this machine
(1, 5 and 15 minutes) before the run: ${loads.before}, and after it: ${loads.after}.
The rows about sign-ins compare p99 instead of requests/s and are medians of three rounds. The rows about files are medians of
five rounds; their rates are MB/s, and their times those of a whole file. The rows about webhooks are medians of three rounds
against a fixed number of deliveries a second. The row about the
largest contentful paint has the mean of the middle half of 40 rounds by turns in Chromium in place of p99; 0.83 means 1.2 times the static file. The rows about two instances
compare how much two of them gain over one with how much two bare servers gain; on a processor each, the gain is computed from the
processor time per request, because the load limits requests/s. The rows about large tables compare p95 of single requests, those about searches p95 of
the medians of three requests of each query, in place of p99. The rows about streams are medians of 50 rounds by turns; their rates are frames/s.
The rows about writes use a server whose commits each wait 2 ms (\`commit_delay\`), as on a disk in a network: on a disk that
takes next to nothing, the processors are measured and not the log.
The rows about the example host measure
\`packages/host-example\` as \`npm start\` runs it, on the built packages, with its request log and counted rate limits.
The bar of its entitled read was 0.70, which it did not reach (0.49 by processor time), and is 0.45.
${failed.length > 0 ? `\nNot measured, because they failed: ${failed.join(', ')}.\n` : ''}
${rowTable(rows)}

## Time and memory

Starts are medians of three; memory is what the operating system counts (RSS), ten seconds after the start or after the last
stream was opened. Shares of the processor time are read from profiles, and are medians of three processes: two processes of the same
code differ by more than such a share.

${footprintTable(footprints)}
${standalone}`
