import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { searchIndexContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { timedSearch } from './timed-search.ts'

const times: number[] = []
async function timedIndex() {
  const storage = pgliteStorage()
  return { ...timedSearch(storage.search({ timeoutMs: 60_000 }), (ms) => times.push(ms)), close: () => storage.close() }
}
// These call every method. Which words match is up to the index below.
searchIndexContract(vitest, timedIndex, { only: ['queries', 'changes', 'partitions', 'meanings'] })
vitest.it('reports the time of queries', () => vitest.expect(times.length).toBeGreaterThan(0))
