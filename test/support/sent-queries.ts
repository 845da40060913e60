import type { Client, Pool } from 'pg'
import { vi } from 'vitest'

/** A statement with the values of its parameters. */
export interface SentQuery {
  readonly text: string
  readonly values: unknown[] | undefined
  /** The port of the server that it is sent to. */
  readonly port: number
}

/** The queries that some work sends through any pool of this process, prepared ones included. */
export async function queriesOf(pool: Pool, work: () => Promise<unknown>): Promise<readonly SentQuery[]> {
  const client = await pool.connect()
  const query = vi.spyOn(Object.getPrototypeOf(client), 'query')
  client.release()
  try {
    await work()
    return query.mock.calls.map(([sent, values], index) => {
      // A prepared statement is an object with a name.
      const { text, values: own } = typeof sent === 'string' ? { text: sent, values } : (sent as SentQuery)
      const { port } = query.mock.contexts[index] as Client
      return { text, values: own as SentQuery['values'], port }
    })
  } finally {
    query.mockRestore()
  }
}
