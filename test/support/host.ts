import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { programArguments } from './program-arguments.ts'

const SOURCES = join(import.meta.dirname, '../../packages/host-example/src')

export type Environment = Readonly<Record<string, string | undefined>>

/** A program of the example host, or one of this folder, in a separate process, without the configuration of this run. */
export function run(
  program: 'main' | 'demo' | 'eep' | 'tides-host',
  environment: Environment = {},
  options: readonly string[] = [],
  cwd?: string,
) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(EEP_|X402_|STRIPE_|DATABASE_URL$|NODE_(?!COMPILE_CACHE$))/.test(name),
  )
  const folder = program === 'tides-host' ? import.meta.dirname : SOURCES
  const child = spawn(process.execPath, [...programArguments(join(folder, `${program}.ts`)), ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...Object.fromEntries(inherited), ...environment },
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const closed = once(child, 'close').then(([code]) => {
    process.off('exit', kill)
    return code as number | null
  })
  return {
    /** What it printed so far. */
    said,
    /** Its exit code; null when a signal ended it. */
    closed,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      return closed
    },
  }
}

/** Waits until something is there; fails when it is not in time. */
export async function until<Found>(find: () => Found | undefined | Promise<Found | undefined>, what: () => string) {
  for (const end = Date.now() + 200_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`It did not happen: ${what()}`)
}

/** Starts the example host, or the one with its own routes, on free ports and waits until it prints that it listens. */
export async function startHost(environment: Environment, program: 'main' | 'tides-host' = 'main') {
  const host = run(program, { PORT: '0', LOG_LEVEL: 'warn', ...environment })
  const { said } = host
  const url = await until(
    () => {
      if (host.isOver()) throw new Error(`The host ended: ${said.stderr}`)
      return /^listening on (\S+)$/m.exec(said.stdout)?.[1]
    },
    () => `ready line in ${said.stdout}${said.stderr}`,
  )
  return { ...host, url }
}
