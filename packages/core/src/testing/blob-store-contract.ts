import type { BlobStore } from '../ports/blob-store.ts'
import { putCases } from './blob-store/puts.ts'
import { readCases } from './blob-store/reads.ts'
import { contractRunner, type TestRunner } from './runner.ts'

/** Options of {@link blobStoreContract}. */
export interface BlobStoreContractOptions {
  /** The store keeps nothing of an interrupted `put`, for example because it is in memory or transactional. Default: false. */
  readonly leavesNothing?: boolean | undefined
}

/**
 * Runs the contract of a {@link BlobStore} as test cases: a blob exists completely or not at all, and ranges,
 * lists and errors are as the port documents.
 *
 * @param create - creates the store; called once. It must not be written to by others while the cases run
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/blob-store.md
 * @example
 * import * as vitest from 'vitest'
 *
 * blobStoreContract(vitest, () => ownBlobs({ directory }))
 */
export function blobStoreContract(
  runner: TestRunner,
  create: () => Promise<BlobStore> | BlobStore,
  { leavesNothing = false }: BlobStoreContractOptions = {},
): void {
  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('blob store', () => {
    let store: BlobStore
    beforeAll(async () => {
      store = await create()
      await store.ping?.()
    })
    afterAll(async () => {
      await store.close?.()
    })

    putCases(it, () => store, leavesNothing)
    readCases(it, () => store)
  })
}
