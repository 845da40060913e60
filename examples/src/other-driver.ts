import { sqlStorage } from '@eep/adapters-postgres'
import { PostgresDialect, type PostgresPool } from 'kysely'

/** PostgreSQL with another driver needs a dialect, not a new adapter. The `Pool` of Neon's driver fits here as it is. */
export const neonStorage = (pool: PostgresPool) => sqlStorage({ dialect: new PostgresDialect({ pool }) })
