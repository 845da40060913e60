import { setImmediate } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'

/**
 * Gives the event loop a turn before each statement of a pool. A database inside this process waits for nothing outside:
 * without turns a whole transaction would be one, and every other request would wait for all of it.
 */
export function takeTurns(pool: Pool): Pool {
  return pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const queryAfterATurn = async (...args: unknown[]) => {
      await setImmediate()
      return query(...args)
    }
    const isPromised = (args: readonly unknown[]) => typeof args[0] === 'string' && typeof args.at(-1) !== 'function'
    client.query = ((...args: unknown[]) =>
      isPromised(args) ? queryAfterATurn(...args) : query(...args)) as PoolClient['query']
  })
}
