import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fail } from './steps.ts'

export interface HostProcess {
  readonly url: string
  /** What the host has written to standard error so far. */
  errors(): string
  /** Stops the host, and ends the process when the exit code of the host is not 0. */
  stop(): Promise<void>
}

/**
 * Starts a host on a free port, without the configuration of this process, and waits until it listens. Ends the process when it
 * does not.
 *
 * @param limitMs - ends what hangs
 */
export async function startHostProcess(
  what: string,
  [program = '', ...args]: readonly string[],
  { cwd, limitMs, env = {} }: { readonly cwd: string; readonly limitMs: number; readonly env?: NodeJS.ProcessEnv },
): Promise<HostProcess> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(EEP_|X402_|STRIPE_|NODE_ENV$|DATABASE_URL$)/.test(name),
  )
  const host = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env },
  })
  const over = once(host, 'close')
  const late = setTimeout(() => host.kill('SIGKILL'), limitMs)
  // A script that started the host passes this signal on.
  const end = () => host.kill('SIGTERM')
  process.once('exit', end)
  let errors = ''
  host.stderr.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk
  })
  let url: string | undefined
  for await (const line of createInterface({ input: host.stdout })) {
    url = /^listening on (\S+)$/.exec(line)?.[1]
    if (url) break
  }
  if (!url) fail(`start ${what}`, errors)
  return {
    url,
    errors: () => errors,
    async stop() {
      host.kill('SIGTERM')
      const [code] = await over
      process.off('exit', end)
      clearTimeout(late)
      if (code !== 0) fail(`stop ${what}`, `exit code ${code}\n${errors}`)
    },
  }
}
