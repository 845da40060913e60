import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { SHORT_LIVED, SOURCES_CONDITION } from '../support/program-arguments.ts'
import { scratchDirectory } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Each program with the directory in which it keeps its data. Without variables, the example host is a sandbox. */
const PROGRAMS = [
  ['examples/src/small-host.ts', '.data'],
  ['packages/host-example/src/main.ts', '.data/sandbox'],
] as const

/** CI sets 10. */
const STARTS = Number(process.env.COLD_STARTS ?? 2)
/** How many start on an empty directory: none by default, 2 in CI. The others start on a migrated database. */
const EMPTY = Math.floor(STARTS / 5)
/** Several start together: starts failed on machines that were busy. */
const AT_ONCE = 3
const PATIENCE_MS = 240_000

/** Starts a program in a directory, waits until it is ready, and ends it. What it printed is the error when it fails. */
async function startOnce(program: string, directory: string): Promise<void> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(EEP_|X402_|STRIPE_|DATABASE_URL$|NODE_(?!COMPILE_CACHE$))/.test(name),
  )
  const child = spawn(process.execPath, [SOURCES_CONDITION, ...SHORT_LIVED, join(ROOT, program)], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), PORT: '0', EEP_SECRET: 'a secret of thirty-two characters or more' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const closed = once(child, 'close')
  const isReady = async () => {
    const url = /listening (?:at|on) (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1]
    return url !== undefined && (await fetch(`${url}/health/ready`)).status === 200
  }
  try {
    for (const end = Date.now() + PATIENCE_MS; !(await isReady()); await sleep(100)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`${program} did not start:\n${said}`)
    }
  } finally {
    child.kill('SIGTERM')
    await closed
  }
}

it(`starts the small host of the README and the example host ${STARTS} times`, { timeout: 1_200_000 }, async () => {
  const home = await mkdtemp(join(await scratchDirectory(), 'eep-cold-'))
  const started: number[] = []

  async function start(index: number) {
    const directory = join(home, `${index}`)
    const [program, data] = PROGRAMS[index % PROGRAMS.length] as (typeof PROGRAMS)[number]
    await mkdir(directory)
    if (index >= EMPTY) await migratedDataDirectory(join(directory, data))
    await startOnce(program, directory)
    started.push(index)
    await rm(directory, { recursive: true, force: true })
  }

  try {
    const left = Array.from({ length: STARTS }, (_, index) => index)
    const lane = async () => {
      for (let index = left.shift(); index !== undefined; index = left.shift()) await start(index)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    expect(started).toHaveLength(STARTS)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
