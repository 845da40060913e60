import type { Pool } from 'pg'
import { vi } from 'vitest'

/** The queries that some work sends through a pool. */
export async function queriesOf(pool: Pool, work: () => Promise<unknown>) {
  const client = await pool.connect()
  const query = vi.spyOn(Object.getPrototypeOf(client), 'query')
  client.release()
  await work()
  const sent = query.mock.calls.map(([text, values]) => ({ text: String(text), values: values as unknown[] }))
  query.mockRestore()
  return sent
}
