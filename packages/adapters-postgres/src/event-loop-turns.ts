import { setImmediate } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'

/**
 * Yields to the event loop before each statement of a pool. An embedded database does no asynchronous I/O:
 * without this, a whole transaction would run in one turn and block all other requests.
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
