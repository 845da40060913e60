import { inject } from 'vitest'
import { createDatabaseOn, type PostgresAddress, type TestDatabase, templateOn } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresAddress
  }
}

/** True in the project `pglite`, and where no server could be started: a database is then `memory://`. */
export const onPglite = () => inject('postgres').kind === 'pglite'

/** A fresh, empty database. Close every pool on it before `drop`. */
export const createDatabase = (): Promise<TestDatabase> => createDatabaseOn(inject('postgres'))

const templates = new Map<string, Promise<string>>()

/** The template, once it is known to be there. */
function knownTemplate(name: string, prepare: (connectionString: string) => Promise<void>): Promise<string> {
  const server = inject('postgres')
  const key = server.prefix + name
  const template = templates.get(key) ?? templateOn(server, name, prepare)
  templates.set(key, template)
  template.catch(() => templates.delete(key))
  return template
}

/**
 * A fresh copy of a database that `prepare` filled once for all test files of the run, with a unique name. On PGlite the
 * database is empty.
 */
export async function createDatabaseFrom(
  name: string,
  prepare: (connectionString: string) => Promise<void>,
): Promise<TestDatabase> {
  const server = inject('postgres')
  if (server.kind === 'pglite') return createDatabaseOn(server)
  return createDatabaseOn(server, await knownTemplate(name, prepare))
}
