import { expect, it } from 'vitest'
import type { Readers } from '../../ports/storage/storage.ts'
import { createReadCache } from '../../storage/read-cache.ts'
import { createTrustService } from './service.ts'

const read = { receipts: { list: async () => ({ items: [], total: 0 }) } } as unknown as Readers
const { ofVisitor } = createTrustService({
  read,
  clock: () => new Date(),
  cache: createReadCache(10, { isCurrent: () => true, silentMs: () => 0 }),
  profiles: { find: () => Promise.reject(new Error('no profile is read')) },
})

// Gates leave out agents that did not sign before they ask for a score, so that no request shows this.
it.each([
  ['did:key:z6Mkabc', 40],
  ['did:web:agents.example', 65],
])('gives %s a score only when it signed', async (did, score) => {
  const trustIn = (verified: boolean) => ofVisitor({ caller: undefined, agent: { did, verified } })
  expect([await trustIn(true), await trustIn(false)]).toEqual([score, 0])
})
