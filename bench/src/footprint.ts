import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HostPlace, startExampleHost } from './example-host.ts'
import { median } from './measure.ts'
import type { MinimalHost } from './minimal-host.ts'
import { startServer } from './server-process.ts'

/** One line about a process: how long something takes, how much memory it holds, or which share of its time something takes. */
export interface Footprint {
  readonly database: string
  readonly what: string
  /** At most this much; undefined where nothing is required. */
  readonly must?: number | undefined
  readonly value: number
  readonly unit: '%' | 's' | 'ms' | 'MB' | 'MiB' | 'KiB'
}

const ROUNDS = 3
/** V8 and the operating system take back what the start needed within this time. */
const IDLE_MS = 10_000

const seconds = (ms: number) => Math.round(ms / 100) / 10
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)

/** Starts a host once and stops it. */
async function startMs(place: HostPlace): Promise<number> {
  const host = await startExampleHost(place)
  await host.stop()
  return host.startMs
}

async function idleMemory(started: { memory(): Promise<number>; stop(): unknown }): Promise<number> {
  await sleep(IDLE_MS)
  const bytes = await started.memory()
  await started.stop()
  return megabytes(bytes)
}

/** How long the built example host takes to start, and the idle memory of it and of a minimal host. */
export async function measureFootprint(connectionString: string | undefined): Promise<readonly Footprint[]> {
  const root = await mkdtemp(join(tmpdir(), 'eep-bench-start-'))
  const rows: Footprint[] = []
  const add = (row: Footprint) => {
    rows.push(row)
    console.log(`${row.database}: ${row.what}: ${row.value} ${row.unit}${row.must ? ` (at most ${row.must})` : ''}`)
  }
  const repeat = async (measure: (round: number) => Promise<number>) => {
    const values: number[] = []
    for (let round = 0; round < ROUNDS; round++) values.push(await measure(round))
    return seconds(median(values))
  }
  try {
    const what = 'start of the built example host'
    const empty = await repeat((round) => startMs({ directory: join(root, `empty-${round}`) }))
    add({ database: 'PGlite', what: `${what}, empty directory`, value: empty, unit: 's' })
    const warm = { directory: join(root, 'empty-0') }
    add({ database: 'PGlite', what: `${what}, warm directory`, value: await repeat(() => startMs(warm)), unit: 's' })
    const places = [
      { database: 'PGlite', place: warm, hostMust: 450, minimalMust: 400 },
      ...(connectionString === undefined
        ? []
        : [{ database: 'PostgreSQL', place: { ...warm, connectionString }, hostMust: 230, minimalMust: 220 }]),
    ]
    if (connectionString !== undefined) {
      const migrated = { ...warm, connectionString }
      await startMs(migrated)
      add({ database: 'PostgreSQL', what, value: await repeat(() => startMs(migrated)), unit: 's' })
    }
    for (const { database, place, hostMust, minimalMust } of places) {
      const host = await idleMemory(await startExampleHost(place, {}))
      add({ database, what: 'memory of the idle example host', must: hostMust, value: host, unit: 'MB' })
      // The same directory: a process that creates a database keeps the memory that took.
      const minimal = await idleMemory(await startServer<MinimalHost>('./minimal-host.ts', place, { built: true }))
      add({ database, what: 'memory of an idle minimal host', must: minimalMust, value: minimal, unit: 'MB' })
    }
    return rows
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
