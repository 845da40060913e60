import type { BlobStore } from '../ports/blob-store.ts'
import { putCases } from './blob-store/puts.ts'
import { readCases } from './blob-store/reads.ts'
import { hooksOf, type TestRunner } from './runner.ts'

/** Options of {@link blobStoreContract}. */
export interface BlobStoreContractOptions {
  /** For a store in which a put that never ends leaves nothing that could be swept: one in memory, or in a transaction. */
  readonly leavesNothing?: boolean | undefined
}

/**
 * Runs the contract of a {@link BlobStore} as test cases: a blob is there whole or not at all, and ranges, lists and what
 * broke are as the port says.
 *
 * @param create - makes the store; called once. Nobody else may put into it while the cases run
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
  const { beforeAll, afterAll } = hooksOf(runner)

  runner.describe('blob store', () => {
    let store: BlobStore
    beforeAll(async () => {
      store = await create()
      await store.ping?.()
    })
    afterAll(async () => {
      await store.close?.()
    })

    putCases(runner, () => store, leavesNothing)
    readCases(runner, () => store)
  })
}
