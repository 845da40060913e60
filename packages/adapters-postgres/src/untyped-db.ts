import type { Kysely } from 'kysely'

/** A connection for what speaks SQL and knows no table types: migrations, which make the tables, and the queue. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely is invariant in its tables, so only this takes one of any tables
export type UntypedDb = Kysely<any>
