import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EICAR } from '@eep/core/testing'
import { unpackPackages } from './debian.ts'
import { freePort } from './ports.ts'

const _run = promisify(execFile)
const cache = join(import.meta.dirname, '../../../node_modules/.cache/clamd')
const INSTALLED = '/usr/sbin/clamd'

// What clamd needs beside the libraries that every Debian has; apt checks that they are Debian's.
const PACKAGES = ['clamav-daemon', 'libclamav12', 'libjson-c5', 'libmspack0']
/** A stream that is longer is refused. */
export const MAX_STREAM_BYTES = 2 * 1_048_576

/** clamd, which knows EICAR and nothing else. */
export interface Clamd {
  readonly port: number
  readonly socketPath: string
  stop(): Promise<void>
}

/** The clamd of this machine, else that of Debian, downloaded for the tests alone. A sentence with the reason, where neither is available. */
export async function startClamd(): Promise<Clamd | string> {
  try {
    return await start()
  } catch (error) {
    return `no clamd: ${error instanceof Error ? error.message : error}`
  }
}

async function start(): Promise<Clamd> {
  const { program, env } = await installed()
  const directory = await mkdtemp(join(tmpdir(), 'eep-clamd-'))
  const [port, socketPath] = [await freePort(), join(directory, 'socket')]
  await mkdir(join(directory, 'database'))
  const signature = `Eicar-Test-Signature:0:*:${Buffer.from(EICAR).toString('hex')}\n`
  await writeFile(join(directory, 'database/test.ndb'), signature)
  const settings = [
    'Foreground yes',
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `LocalSocket ${socketPath}`,
    `DatabaseDirectory ${join(directory, 'database')}`,
    `TemporaryDirectory ${directory}`,
    `StreamMaxLength ${MAX_STREAM_BYTES}`,
  ]
  const configuration = join(directory, 'clamd.conf')
  await writeFile(configuration, `${settings.join('\n')}\n`)
  const child = spawn(program, ['-c', configuration], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    }
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  let said = ''
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4_000)
      if (said.includes('Self checking')) resolve()
    })
  }
  child.once('error', reject)
  child.once('exit', () => reject(new Error(said || 'it ended before it listened')))
  try {
    await listening
    return { port, socketPath, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function installed(): Promise<{ readonly program: string; readonly env: NodeJS.ProcessEnv }> {
  const env = { PATH: process.env.PATH }
  if (existsSync(INSTALLED)) return { program: INSTALLED, env }
  if (!existsSync(cache)) await unpackPackages(PACKAGES, cache)
  const [libraries = ''] = (await readdir(join(cache, 'usr/lib'))).filter((name) => name.endsWith('-linux-gnu'))
  return {
    program: join(cache, 'usr/sbin/clamd'),
    env: { ...env, LD_LIBRARY_PATH: join(cache, 'usr/lib', libraries) },
  }
}
