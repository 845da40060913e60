import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgresServer } from './support/postgres-server.ts'
import { bundlePrograms } from './support/program-bundles.ts'

const MAKE_SNAPSHOT = join(import.meta.dirname, '../packages/adapters-postgres/src/make-pglite-snapshot.ts')

/** Begun for the first project that needs it; each project loads this module separately, in one process. */
const shared = globalThis as { eepTestFiles?: Promise<string>; eepTestServers?: Map<string, Promise<PostgresServer>> }

/** Makes the directory that the processes of a run share: the bundled programs. */
async function makeDirectory(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'eep-test-'))
  await bundlePrograms(join(directory, 'programs'))
  // Once, in a process that gives its memory back: every worker would make it otherwise.
  await promisify(execFile)(process.execPath, ['--conditions=@eep/source', '--liftoff-only', MAKE_SNAPSHOT])
  return directory
}

/** Starts a PostgreSQL of a kind, once. The schemas of two projects are in different databases of it. */
async function startServer(kind: string | undefined): Promise<PostgresServer> {
  const server = await startPostgresServer(kind)
  let stopped: Promise<void> | undefined
  return { ...server, stop: () => (stopped ??= server.stop()) }
}

/** Starts one PostgreSQL for all projects that run on its kind, and names the files that all projects share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const wanted = project.config.env?.TEST_DB ?? process.env.TEST_DB
  shared.eepTestServers ??= new Map()
  const servers = shared.eepTestServers
  const started = servers.get(`${wanted}`) ?? startServer(wanted)
  servers.set(`${wanted}`, started)
  shared.eepTestFiles ??= makeDirectory()
  const [directory, { kind, connectionString, localConnectionString, prefix, stop }] = await Promise.all([
    shared.eepTestFiles,
    started,
  ])
  project.provide('postgres', { kind, connectionString: localConnectionString ?? connectionString, prefix })
  project.provide('programs', join(directory, 'programs'))
  return async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
}
