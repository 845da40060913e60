import type { Pool, PoolClient } from 'pg'

const MAX_STATEMENTS = 500

/**
 * Lets every connection of a pool plan a statement once and keep it: in PGlite planning takes longer than answering. For
 * direct connections only; with a transaction pooler, a prepared statement may be missing next time.
 */
export function keepStatements(pool: Pool): Pool {
  return pool.on('connect', (client) => {
    const names = new Map<string, string>()
    const nameOf = (text: string) => {
      const known = names.get(text)
      if (known !== undefined || names.size >= MAX_STATEMENTS) return known
      const name = `eep_${names.size}`
      names.set(text, name)
      return name
    }
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? query({ name: nameOf(text), text, values }, ...rest)
        : query(text, values, ...rest)
    client.query = named as PoolClient['query']
  })
}
