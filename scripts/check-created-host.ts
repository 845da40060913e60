// Copies the example host out of the workspace, installs it from tarballs as its user would, and asks it for pages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHostProcess } from './host-process.ts'
import { createHost } from './host-template.ts'
import type { Tarball } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

/** How long the host may take to listen. It only ends what hangs: a cold start takes seconds. */
const START_MS = 120_000

/** The limit of the script of pages, without compression. */
const MAX_SCRIPT_BYTES = 12 * 1024

/** Creates a host in `target` from these tarballs and ends the process when it does not compile, start, answer or stop. */
export async function checkCreatedHost(target: string, tarballs: readonly Tarball[]): Promise<void> {
  createHost(target, tarballs)
  run('install the created host', ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'], target)
  run('compile the created host', ['npm', 'run', 'check'], target)
  run('check the created host by its own command', ['npm', 'run', 'eep', '--', 'doctor', '--before-start'], target)
  await start(target)
}

async function start(target: string): Promise<void> {
  const started = performance.now()
  const { scripts } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  const host = await startHostProcess('the created host', scripts.start.split(' '), { cwd: target, limitMs: START_MS })
  const { url } = host
  for (const path of ['/health/ready', '/o/demo', '/o/demo/content/guides/reading-a-barometer', '/docs/openapi.json']) {
    const { status } = await fetch(url + path)
    if (status !== 200) fail(`GET ${path} of the created host`, `${status}\n${host.errors()}`)
  }
  // The build minifies it beside the chunks, because nothing imports it.
  const script = await fetch(`${url}/assets/pages.js`)
  const built = readFileSync(join(import.meta.dirname, '../packages/core/dist/pages.js'), 'utf8')
  if (script.status !== 200 || (await script.text()) !== built) {
    fail(
      'GET /assets/pages.js of the created host',
      `${script.status}, or not the script of the build\n${host.errors()}`,
    )
  }
  if (built.length > MAX_SCRIPT_BYTES) fail('size of /assets/pages.js', `${built.length} of ${MAX_SCRIPT_BYTES} bytes`)
  await host.stop()
  report('start the created host, read its demo and stop it', started)
}
