import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Anvil {
  readonly rpcUrl: string
  stop(): Promise<void>
}

/** The binary: `ANVIL_BIN`, else the npm package of this platform, where this package or the working directory sees it. */
function anvilBinary(): string {
  const named = process.env.ANVIL_BIN
  if (named !== undefined && named !== '') return named
  const platform = process.platform === 'win32' ? 'win32' : process.platform
  const name = `@foundry-rs/anvil-${platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const binary = join(
        dirname(createRequire(from).resolve(`${name}/package.json`)),
        'bin',
        platform === 'win32' ? 'anvil.exe' : 'anvil',
      )
      if (existsSync(binary)) return binary
    } catch {
      // Not visible from here.
    }
  }
  throw new Error(
    `A local chain needs anvil: install ${name} as a development dependency, or set ANVIL_BIN to the binary`,
  )
}

/** Starts anvil on a free port. It ends with this process at the latest. */
export async function startAnvil(chainId: number): Promise<Anvil> {
  const binary = anvilBinary()
  const child = spawn(binary, ['--port', '0', '--chain-id', String(chainId)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))

  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000)
      const listening = /Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1]
      if (listening !== undefined) resolve(listening)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', (cause) => reject(new Error(`${binary} does not start`, { cause })))
    child.once('close', () => reject(new Error(`${binary} ended before it listened: ${output}`)))
  })

  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', kill)
      child.kill()
      await ended
    },
  }
}
