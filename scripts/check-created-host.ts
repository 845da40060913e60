// Copies the example host out of the workspace, installs it from tarballs as its user would, and asks it for pages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createHost } from './host-template.ts'
import type { Tarball } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

/** How long the host may take to listen. It only ends what hangs: a cold start takes seconds. */
const START_MS = 120_000

/** Creates a host in `target` from these tarballs and ends the process when it does not compile, start, answer or stop. */
export async function checkCreatedHost(target: string, tarballs: readonly Tarball[]): Promise<void> {
  createHost(target, tarballs)
  run('install the created host', ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'], target)
  run('compile the created host', ['npm', 'run', 'check'], target)
  await start(target)
}

async function start(target: string): Promise<void> {
  const started = performance.now()
  const { scripts } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  const [program, ...args] = scripts.start.split(' ')
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(EEP_|X402_|STRIPE_|NODE_ENV$|DATABASE_URL$)/.test(name),
  )
  const host = spawn(program, args, {
    cwd: target,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
  })
  const over = once(host, 'close')
  const late = setTimeout(() => host.kill('SIGKILL'), START_MS)
  process.once('exit', () => host.kill('SIGKILL'))
  let troubles = ''
  host.stderr.setEncoding('utf8').on('data', (chunk) => {
    troubles += chunk
  })

  let url: string | undefined
  for await (const line of createInterface({ input: host.stdout })) {
    url = /^listening on (\S+)$/.exec(line)?.[1]
    if (url) break
  }
  if (!url) fail('start the created host', troubles)
  for (const path of ['/health/ready', '/o/demo', '/o/demo/content/guides/reading-a-barometer', '/docs/openapi.json']) {
    const { status } = await fetch(url + path)
    if (status !== 200) fail(`GET ${path} of the created host`, `${status}\n${troubles}`)
  }
  // The build copies it, because nothing imports it.
  const script = await fetch(`${url}/assets/pages.js`)
  const source = readFileSync(join(import.meta.dirname, '../packages/core/src/browser/pages.js'), 'utf8')
  if (script.status !== 200 || (await script.text()) !== source) {
    fail('GET /assets/pages.js of the created host', `${script.status}, or not the script of the checkout\n${troubles}`)
  }
  host.kill('SIGTERM')
  const [code] = await over
  clearTimeout(late)
  if (code !== 0) fail('stop the created host', `exit code ${code}\n${troubles}`)
  report('start the created host, read its demo and stop it', started)
}
