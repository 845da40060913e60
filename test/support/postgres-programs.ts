import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerPrograms } from './embedded-postgres.ts'

/** A server of the system and the programs that back it up, of one version. */
export interface PostgresPrograms extends ServerPrograms {
  readonly pg_dump: string
  readonly pg_restore: string
}

/** Where Debian installs each version: `/usr/lib/postgresql/15/bin`. */
const INSTALLED = '/usr/lib/postgresql'
const OLDEST = 15

/**
 * The newest PostgreSQL of this machine with its programs; undefined when there is none. The server from npm comes without
 * `pg_dump`, which refuses servers that are newer than it is.
 */
export async function findPostgresPrograms(): Promise<PostgresPrograms | undefined> {
  const versions = (await readdir(INSTALLED).catch(() => [])).map(Number).filter((version) => version >= OLDEST)
  const found = versions
    .sort((left, right) => right - left)
    .map((version) => {
      const at = (name: string) => join(INSTALLED, String(version), 'bin', name)
      return { initdb: at('initdb'), postgres: at('postgres'), pg_dump: at('pg_dump'), pg_restore: at('pg_restore') }
    })
  return found.find((programs) => Object.values(programs).every((path) => existsSync(path)))
}
