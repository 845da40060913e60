import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PUBLIC_URL } from './seller.ts'

/** The program of `npm start` and of the image, on the built packages. */
const MAIN = new URL('../../packages/host-example/src/main.ts', import.meta.url).pathname

/** Offers of stablecoins take no chain to be made. */
const PAYMENTS = {
  X402_FACILITATOR_URL: 'https://facilitator.example',
  X402_PAY_TO: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
}

export interface HostPlace {
  /** Its data directory. */
  readonly directory: string
  /** Its PostgreSQL; the embedded database without one. */
  readonly connectionString?: string | undefined
}

/** The memory of a process in bytes, as the operating system counts it. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

/**
 * Starts the example host in a separate process, as it is deployed: on the built packages, with compiled code kept between
 * starts, with rate limits that are counted and never reached, and with its log in a file.
 */
export async function startExampleHost(
  { directory, connectionString }: HostPlace,
  environment: Readonly<Record<string, string>> = PAYMENTS,
) {
  const logFile = join(tmpdir(), `eep-bench-host-${process.pid}.log`)
  const log = await open(logFile, 'a')
  const begun = performance.now()
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', log.fd],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      EEP_DATA_DIR: directory,
      EEP_BASE_URL: PUBLIC_URL,
      EEP_RATE_LIMIT_MULTIPLIER: '1000000',
      ...(connectionString !== undefined && { DATABASE_URL: connectionString }),
      ...environment,
    },
  })
  const exited = once(child, 'exit')
  let said = ''
  const listening = new Promise<string>((resolve) => {
    child.stdout?.on('data', (text) => {
      said += text
      const port = /^listening on (\S+)$/m.exec(said)?.[1]
      if (port !== undefined) resolve(port)
    })
  })
  const removeLog = async () => {
    await log.close()
    await rm(logFile, { force: true })
  }
  const url = await Promise.race([listening, exited.then(() => undefined)])
  if (url === undefined) {
    // Only then: the log of a long run may be too long for a string.
    const text = await readFile(logFile, 'utf8')
    await removeLog()
    throw new Error(`The example host ended: ${text}`)
  }
  return {
    url,
    pid: child.pid,
    /** From the start of the process until it listens. */
    startMs: performance.now() - begun,
    memory: () => residentBytes(child.pid),
    async stop() {
      child.kill('SIGTERM')
      await exited
      await removeLog()
    },
  }
}
