// Builds the Next.js application and the bundle of docs/embed/other-servers.md from tarballs, without a database and a secret, and
// asks what was built for the manifest of the service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import type { Tarball } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

const root = join(import.meta.dirname, '..')
const examples = join(root, 'examples/src')
/** How long a server may take to answer. It only ends what hangs. */
const ANSWER_MS = 120_000

const page = readFileSync(join(root, 'docs/embed/other-servers.md'), 'utf8')

/** A block of the page that begins with these words. */
function blockWith(words: string): string {
  const block = [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const found = block.find((text) => text.startsWith(words))
  return found ?? fail('read docs/embed/other-servers.md', `it has no block that starts with ${words}`)
}

/** Starts a server and asks it for a path until it answers; ends the process when it does not. */
async function answers(what: string, command: readonly string[], cwd: string, env: NodeJS.ProcessEnv, path: string) {
  const started = performance.now()
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const closed = once(child, 'close')
  process.once('exit', () => child.kill('SIGKILL'))
  for (const end = Date.now() + ANSWER_MS; ; ) {
    const port = /(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)/.exec(said)?.[1]
    const status = port && (await fetch(`http://localhost:${port}${path}`).catch(() => undefined))?.status
    if (status === 200) break
    if (Date.now() > end || child.exitCode !== null || status) fail(what, `status ${status}\n${said}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  child.kill('SIGTERM')
  await closed
  report(what, started)
}

/** Follows the page in `target`. */
export async function checkBundlers(target: string, tarballs: readonly Tarball[]): Promise<void> {
  const handler = join(target, 'app/eep/[...path]')
  mkdirSync(handler, { recursive: true })
  const paths = tarballs
    .filter(({ name }) => name === '@eep/core' || name === '@eep/adapters-postgres')
    .map(({ path }) => `file:${path}`)
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const packages = ['next@16', 'react@19', 'react-dom@19', 'esbuild', 'fastify', 'pg', '@electric-sql/pglite']
  run(
    'install Next.js and esbuild beside the tarballs',
    ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...packages, ...paths],
    target,
  )

  writeFileSync(join(target, 'next.config.mjs'), blockWith('// next.config.mjs'))
  const layout = 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n'
  writeFileSync(join(target, 'app/layout.jsx'), layout)
  writeFileSync(join(target, 'app/page.jsx'), 'export default () => <p>A shop</p>\n')
  // Next.js would check the types of TypeScript, which another step does.
  for (const [name, to] of [
    ['embed-next-service', join(target, 'app/eep/service.js')],
    ['embed-next', join(handler, 'route.js')],
  ] as const) {
    const source = readFileSync(join(examples, `${name}.ts`), 'utf8').replace(
      './embed-next-service.ts',
      '../service.js',
    )
    writeFileSync(to, stripTypeScriptTypes(source))
  }
  const quiet = { NEXT_TELEMETRY_DISABLED: '1' }
  Object.assign(process.env, quiet)
  run('build the Next.js application', ['npx', 'next', 'build'], target)
  const server = await startPostgresServer()
  try {
    const env = { ...quiet, DATABASE_URL: server.connectionString, EEP_SECRET: 'x'.repeat(32) }
    const manifest = '/eep/.well-known/eep.json'
    await answers(
      'serve the service from Next.js',
      ['node', 'node_modules/next/dist/bin/next', 'start', '-p', '0'],
      target,
      env,
      manifest,
    )
  } finally {
    await server.stop()
  }

  cpSync(join(examples, 'small-host.ts'), join(target, 'host.ts'))
  run('bundle a host with esbuild', ['sh', '-c', `npx ${blockWith('esbuild host.ts').trim()}`], target)
  const env = { EEP_SECRET: 'x'.repeat(32), PORT: '0' }
  await answers('serve the service from a bundle', ['node', 'host.mjs'], target, env, '/.well-known/eep.json')
}
