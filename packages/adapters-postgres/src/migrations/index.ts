export { migrations } from './list.ts'

/**
 * Statements that run with the schema of the storage as search path. A released migration is never edited: its checksum
 * is stored in the database. The first line of a migration states whether it breaks processes of the previous release.
 */
export type Migration = readonly string[]
export type Migrations = Readonly<Record<string, Migration>>
