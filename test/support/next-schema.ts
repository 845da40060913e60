import { Client, escapeIdentifier } from 'pg'

/** The tables of the library of the queue, which it migrates itself. */
const OF_QUEUE = /^(bam|job|job_dependency|queue|queue_stats|schedule|subscription|version|warning)$/

/** The migration of the next release, which this one does not have. */
export const NEXT_MIGRATION = '9999_next_release'

/**
 * Changes a migrated schema as the next release may change it (docs/operate/upgrades.md): each table gets a nullable column
 * of a type without equality, a required column with a default and an index, and there is another table.
 */
export async function expandSchema(connectionString: string, schema = 'eep'): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class join pg_namespace n on n.oid = relnamespace
       where nspname = $1 and relkind in ('r', 'p') and not relispartition order by 1`,
      [schema],
    )
    const tables = rows.map(({ name }) => name).filter((name) => !OF_QUEUE.test(name))
    if (tables.length < 100) throw new Error(`The schema ${schema} has ${tables.length} tables`)
    const at = (table: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`
    const statements = tables.flatMap((table) => [
      `alter table ${at(table)} add column next_note json,
         add column next_count integer not null default 7`,
      `create index on ${at(table)} (next_count)`,
    ])
    await client.query(
      [
        'begin',
        ...statements,
        `create table ${at('next_things')} (
          id bigint generated always as identity primary key,
          account_id uuid not null references ${at('accounts')} on delete cascade
        )`,
        `insert into ${at('migrations')} (name, checksum) values ('${NEXT_MIGRATION}', 'unknown')`,
        'commit',
      ].join(';\n'),
    )
  } finally {
    await client.end()
  }
}
