import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A host in a separate process that can be killed. */
export async function startCrashHost(env: Record<string, string>, program = './payment-host.ts') {
  const file = new URL(program, import.meta.url).pathname
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@eep/source', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const later: string[] = []
  const [line] = await Promise.race([
    once(lines, 'line'),
    exited.then(() => Promise.reject(new Error('it did not start'))),
  ])
  lines.on('line', (next) => later.push(next))
  return {
    /** What it printed after its port. */
    lines: later,
    url: String(line).replace('listening on ', ''),
    exited,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Repeats a request as a client does whose answer was lost, until its outcome is known. */
export async function untilKnown(url: string, headers: Record<string, string>): Promise<Response> {
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    const response = await fetch(url, { headers }).catch(() => undefined)
    if (response && response.status !== 503) return response
    await response?.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the outcome stayed unknown')
}
