import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createMigratedDatabase } from './app.ts'
import { onPglite } from './database.ts'
import type { Environment } from './host.ts'
import { migratedDataDirectory } from './migrated-pglite.ts'
import { scratchDirectory } from './scratch.ts'

/**
 * What a host in a separate process keeps: a directory, and a migrated database in the PostgreSQL of the run, where the host
 * takes half of the processor time that it takes with an embedded database. Without a server, it uses an embedded database.
 */
export async function openHostData() {
  const database = onPglite() ? undefined : await createMigratedDatabase()
  const directory = database
    ? await mkdtemp(join(await scratchDirectory(), 'eep-data-'))
    : await migratedDataDirectory()
  const environment: Environment = { EEP_DATA_DIR: directory, DATABASE_URL: database?.connectionString }
  return {
    directory,
    environment,
    /** Call it after the host ended. */
    async remove() {
      await database?.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export type HostData = Awaited<ReturnType<typeof openHostData>>
