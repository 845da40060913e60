import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

/** The error of each command on a database of {@link developmentDatabase}. */
export const DEVELOPMENT_REFUSAL =
  'The schema "eep" was made by a development version, which this release cannot migrate: export the accounts with that version and import them into a new database, or use another EEP_DATA_DIR or database'

/** The statements that make a database as a version before the first release left it: with its first migration, and a row. */
export const developmentDatabase = (schema = 'eep') => `
  create schema ${schema};
  create table ${schema}.migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default statement_timestamp()
  );
  insert into ${schema}.migrations (name, checksum) values ('0001_accounts', 'x'), ('0002_profiles', 'x');
  create table ${schema}.accounts (username text);
  insert into ${schema}.accounts values ('ada');
`

/** Reads the contents of a database of {@link developmentDatabase}. */
export const DEVELOPMENT_CONTENTS = `
  select
    (select string_agg(relname, ' ' order by relname) from pg_class
      where relnamespace = 'eep'::regnamespace and relkind in ('r', 'S', 'p')) as tables,
    (select string_agg(name, ' ' order by name) from eep.migrations) as migrations,
    (select string_agg(username, ' ') from eep.accounts) as accounts`

export const UNTOUCHED = { tables: 'accounts migrations', migrations: '0001_accounts 0002_profiles', accounts: 'ada' }

/** Makes the embedded database of a data directory one of a development version. */
export async function makeDevelopmentDirectory(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const database = await PGlite.create({ dataDir: join(dataDir, 'postgres') })
  await database.exec(developmentDatabase())
  await database.close()
}

/** Returns the contents of the embedded database of a data directory that {@link makeDevelopmentDirectory} made. */
export async function contentsOfDirectory(dataDir: string): Promise<unknown> {
  const database = await PGlite.create({ dataDir: join(dataDir, 'postgres') })
  const { rows } = await database.query(DEVELOPMENT_CONTENTS)
  await database.close()
  return rows[0]
}
