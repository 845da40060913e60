export { migrations } from './list.ts'

/**
 * Statements that run with the schema of the storage as search path. A released migration is never edited: its checksum
 * is kept in the database. One that breaks processes of the release before says so in its first line.
 */
export type Migration = readonly string[]
export type Migrations = Readonly<Record<string, Migration>>
