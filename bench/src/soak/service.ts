import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@eep/test/support/ports'
import { PUBLIC_URL } from '../seller.ts'
import { connectInspector, type Inspector } from './inspector.ts'

/** The program of `npm start` and of the image, on the built packages. */
const MAIN = new URL('../../../packages/host-example/src/main.ts', import.meta.url).pathname
/** As in the systemd unit. */
const RESTART_MS = 1_000

/** An instance of the example host, started again whenever it ends, as systemd does. */
export interface Instance {
  readonly name: string
  readonly url: string
  /** The file with all its log lines. */
  readonly logFile: string
  pid(): number | undefined
  /** Kills the process with SIGKILL, and returns when it listens again. */
  kill(): Promise<void>
  /** Ends of the process that `kill` did not cause. */
  crashes(): number
  /** Undefined for an instance that is not inspected. */
  inspector(): Promise<Inspector>
  stop(): Promise<void>
}

export interface InstanceOptions {
  readonly name: string
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
}

/** The environment of an instance: as it is deployed, with rate limits that are counted and never reached. */
export const hostEnvironment = (
  dataDir: string,
  more: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  EEP_DATA_DIR: dataDir,
  EEP_BASE_URL: PUBLIC_URL,
  EEP_RATE_LIMIT_MULTIPLIER: '1000000',
  ...more,
})

/** Starts an instance on a port that it keeps. It can be inspected. */
export async function startInstance({ name, directory, environment }: InstanceOptions): Promise<Instance> {
  const port = await freePort()
  const logFile = join(directory, `${name}.log`)
  const log = await open(logFile, 'a')
  let child: ChildProcess | undefined
  let debuggerUrl: string | undefined
  let isStopping = false
  let isKilled = false
  let crashes = 0

  async function start(): Promise<void> {
    debuggerUrl = undefined
    const started = spawn(process.execPath, ['--inspect=127.0.0.1:0', MAIN], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, PORT: String(port) },
    })
    child = started
    const killNow = () => started.kill('SIGKILL')
    process.once('exit', killNow)
    started.once('exit', () => process.off('exit', killNow))
    const exited = once(started, 'exit')
    started.stderr.on('data', (chunk) => {
      debuggerUrl ??= /^Debugger listening on (ws:\S+)$/m.exec(String(chunk))?.[1]
      void log.appendFile(chunk)
    })
    let said = ''
    const listening = new Promise<void>((resolve) => {
      started.stdout.on('data', (chunk) => {
        void log.appendFile(chunk)
        if (said.length > 10_000) return
        said += chunk
        if (/^listening on /m.test(said)) resolve()
      })
    })
    exited.then(
      async () => {
        if (isStopping) return
        if (!isKilled) crashes += 1
        isKilled = false
        await sleep(RESTART_MS)
        if (!isStopping) await start().catch(() => undefined)
      },
      () => undefined,
    )
    await Promise.race([listening, exited])
  }

  async function whenListening(): Promise<void> {
    for (const end = Date.now() + 600_000; Date.now() < end; await sleep(100)) {
      const response = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
      await response?.body?.cancel()
      if (response?.ok) return
    }
    throw new Error(`The instance ${name} did not start; see ${logFile}`)
  }

  await start()
  await whenListening()
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    logFile,
    pid: () => child?.pid,
    async kill() {
      const before = child
      isKilled = true
      before?.kill('SIGKILL')
      while (child === before) await sleep(50)
      await whenListening()
    },
    crashes: () => crashes,
    async inspector() {
      if (debuggerUrl === undefined) throw new Error(`The instance ${name} cannot be inspected`)
      return connectInspector(debuggerUrl)
    },
    async stop() {
      isStopping = true
      if (child && child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        await exited
      }
      await log.close()
    },
  }
}
