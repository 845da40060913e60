import type { Pool, PoolClient } from 'pg'

/**
 * Makes each connection of a pool plan a statement once: most statements of tests are short, and planning takes as long as
 * running them.
 *
 * @param maxStatements - how many statements each connection keeps
 */
export function keepStatements(pool: Pool, maxStatements: number): Pool {
  return pool.on('connect', (client) => {
    const names = new Map<string, string>()
    const ownNameOf = (text: string) => {
      const known = names.get(text)
      if (known !== undefined || names.size >= maxStatements) return known
      const name = `eep_${names.size}`
      names.set(text, name)
      return name
    }
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const named = (text: unknown, values: unknown, ...rest: unknown[]) =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? query({ name: ownNameOf(text), text, values }, ...rest)
        : query(text, values, ...rest)
    client.query = named as PoolClient['query']
  })
}
