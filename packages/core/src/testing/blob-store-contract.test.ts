import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { directoryBlobs } from '../adapters/directory-blobs.ts'
import { blobStoreContract } from './blob-store-contract.ts'
import type { TestRunner } from './runner.ts'

// Runs with vitest, and with node:test in a separate process.
const { VITEST, ...env } = process.env
const runner: TestRunner = VITEST ? await import('vitest') : await import('node:test')

blobStoreContract(runner, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'eep-blobs-'))
  return { ...directoryBlobs({ directory }), close: () => rm(directory, { recursive: true }) }
})

if (VITEST) {
  runner.it('runs under node:test as well', async () => {
    const file = fileURLToPath(import.meta.url)
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file], { env })
    assert.match(stdout, /^# pass [1-9]/m)
    assert.match(stdout, /^# fail 0$/m)
  })
}
