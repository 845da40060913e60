import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { programArguments } from './program-arguments.ts'

const LISTENING = 'listening on '

/** A host in a separate process that can be killed. */
export async function startCrashHost(env: Record<string, string>, program = './payment-host.ts') {
  const file = new URL(program, import.meta.url).pathname
  const child: ChildProcess = spawn(process.execPath, programArguments(file), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'close')
  const lines: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    // Its workers start before it listens. So they may print first, and reach the point at which it kills itself.
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.startsWith(LISTENING)) resolve(line.slice(LISTENING.length))
      else lines.push(line)
    })
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve('')
      else reject(new Error(`it exited with ${code} before it listened`))
    })
  })
  return {
    /** What it printed, without its address. */
    lines,
    /** Its address; empty when it killed itself before it listened. */
    url,
    exited,
    /** Changes variables of a host that obeys its test, such as `DIE_AT`: a host that was started again is the next to die. */
    async change(variables: Record<string, string>) {
      const changed = once(child, 'message')
      child.send(variables)
      await Promise.race([changed, exited])
    },
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
