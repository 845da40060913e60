import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgresServer } from './support/postgres-server.ts'
import { bundlePrograms } from './support/program-bundles.ts'

/** Begun for the first project that needs it; each project loads this module separately, in one process. */
const shared = globalThis as { eepTestFiles?: Promise<string>; eepTestServers?: Map<string, Promise<PostgresServer>> }

/** Makes the directory that the processes of a run share: the bundled programs, and the dump that PGlites start from. */
async function makeDirectory(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'eep-test-'))
  await bundlePrograms(join(directory, 'programs'))
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
  project.provide('pgliteDump', join(directory, 'migrated.tar'))
  return async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
}
