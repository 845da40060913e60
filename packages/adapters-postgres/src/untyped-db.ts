import type { Kysely } from 'kysely'

/** A connection without table types, for migrations, which create the tables, and for the queue. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely is invariant in its tables, so only this takes one of any tables
export type UntypedDb = Kysely<any>
