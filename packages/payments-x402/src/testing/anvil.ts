import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Anvil {
  readonly rpcUrl: string
  stop(): Promise<void>
}

/** Resolves the manifest of a package from a file. */
function manifestFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(`${name}/package.json`)
  } catch {
    return undefined
  }
}

/**
 * Finds the binary: `ANVIL_BIN`, or the npm package of this platform, resolved from this package, the working directory or
 * `@foundry-rs/anvil`, which depends on it.
 */
function anvilBinary(): string {
  const named = process.env.ANVIL_BIN
  if (named !== undefined && named !== '') return named
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    for (const file of [from, manifestFrom(from, '@foundry-rs/anvil')]) {
      const manifest = file && manifestFrom(file, name)
      const binary = manifest && join(dirname(manifest), 'bin', 'anvil')
      if (binary && existsSync(binary)) return binary
    }
  }
  throw new Error(
    'A local chain needs anvil: install @foundry-rs/anvil as a development dependency, or set ANVIL_BIN to the binary',
  )
}

/** Runs a program for as long as standard input stays open, which a parent that is killed closes as well. */
const tied = 'exec 3<&0; "$0" "$@" & program=$!; (cat <&3 >/dev/null; kill $program) 2>/dev/null & wait $program'

/** Starts anvil on a free port. It ends with this process, even after a crash. */
export async function startAnvil(chainId: number): Promise<Anvil> {
  const binary = anvilBinary()
  const child = spawn('sh', ['-c', tied, binary, '--port', '0', '--chain-id', String(chainId)])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))

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
    child.once('exit', () => {
      child.stdin.end()
      reject(new Error(`${binary} ended before it listened: ${output}`))
    })
  })

  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
