import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './support/postgres-server.ts'
import { bundlePrograms } from './support/program-bundles.ts'

/** Begun for the first project; each project loads this module separately, in one process. */
const shared = globalThis as { eepTestFiles?: Promise<string> }

/** Makes the directory that the processes of a run share: the bundled programs, and the dump that PGlites start from. */
async function makeDirectory(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'eep-test-'))
  await bundlePrograms(join(directory, 'programs'))
  return directory
}

/** Starts one PostgreSQL for all files of a project, and names the files that all projects share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.eepTestFiles ??= makeDirectory()
  const [directory, { kind, connectionString, localConnectionString, prefix, stop }] = await Promise.all([
    shared.eepTestFiles,
    startPostgresServer(project.config.env?.TEST_DB ?? process.env.TEST_DB),
  ])
  project.provide('postgres', { kind, connectionString: localConnectionString ?? connectionString, prefix })
  project.provide('programs', join(directory, 'programs'))
  project.provide('pgliteDump', join(directory, 'migrated.tar'))
  return async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
}
