import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { conformanceFixture } from '../support/mcp-fixture.ts'

const require = createRequire(import.meta.url)

/** Scenarios that need what a server without sessions does not have: logging, requests to the client, and subscriptions of 2025. */
const EXPECTED_FAILURES = [
  'logging-set-level',
  'tools-call-with-logging',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
  // It warns that there is no session, which counts as a failure.
  'server-sse-multiple-streams',
]

it('passes the published suite for servers, but for what has no session to run in', async () => {
  const { app, close } = await createTestApp({ publicUrl: 'http://127.0.0.1:3000', modules: [conformanceFixture] })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const directory = await mkdtemp(join(tmpdir(), 'eep-conformance-'))
  const baseline = join(directory, 'expected.yml')
  await writeFile(baseline, `server:\n${EXPECTED_FAILURES.map((name) => `  - ${name}\n`).join('')}`)
  const suite = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
  const args = [suite, 'server', '--url', `${origin}/mcp`, '--expected-failures', baseline]
  // A new failure and an unexpected pass both end with status 1.
  const run = await promisify(execFile)(process.execPath, args, { cwd: directory }).then(
    () => 'passed',
    ({ stdout }: { readonly stdout: string }) => stdout.slice(-4_000),
  )
  expect(run).toBe('passed')
  await close()
  await rm(directory, { recursive: true })
}, 300_000)
