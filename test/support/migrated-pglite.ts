import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDatabase } from '../../packages/adapters-postgres/src/pglite-database.ts'
import { migratedDump as findDump } from '../../packages/adapters-postgres/src/pglite-snapshot.ts'
import { scratchDirectory } from './scratch.ts'

/** A dump of a migrated database, for a PGlite without our storage. */
export async function migratedDump(): Promise<Blob> {
  const dump = await findDump()
  if (!dump) throw new Error('The sources found no snapshot of a migrated database, and made none')
  return dump
}

/**
 * A data directory with a migrated database and nothing else, for a host in a separate process.
 *
 * @param given - A directory to make. Default: a new one
 */
export async function migratedDataDirectory(given?: string): Promise<string> {
  const directory = given ?? (await mkdtemp(join(await scratchDirectory(), 'eep-data-')))
  await makeDatabase(directory, await migratedDump())
  return directory
}
