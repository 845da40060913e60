import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgresServer } from './support/postgres-server.ts'

/** Starts one PostgreSQL for all files of a project, and names the file of the dump that PGlites of all projects start from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { kind, connectionString, localConnectionString, prefix, stop } = await startPostgresServer(
    project.config.env?.TEST_DB ?? process.env.TEST_DB,
  )
  project.provide('postgres', { kind, connectionString: localConnectionString ?? connectionString, prefix })
  // Each project loads this module for itself, in one process.
  process.env.PGLITE_DUMP_DIRECTORY ??= mkdtempSync(join(tmpdir(), 'eep-pglite-dump-'))
  const directory = process.env.PGLITE_DUMP_DIRECTORY
  project.provide('pgliteDump', join(directory, 'migrated.tar'))
  return async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
}
