import assert from 'node:assert/strict'
import { OPTIONAL_GROUPS, type OptionalGroup, STORES_OF_GROUP } from '../ports/storage/groups.ts'
import type { Readers, Storage } from '../ports/storage/storage.ts'
import { contractRunner, type TestRunner } from './runner.ts'
import { storageCases } from './storage/index.ts'

/** Options of {@link storageContract}. */
export interface StorageContractOptions {
  /** Creates the storage, ready for use. Called once; the storage is closed at the end. */
  readonly storage: () => Promise<Storage> | Storage
  /** The optional groups that the storage has. Default: all. */
  readonly groups?: readonly OptionalGroup[] | undefined
  /** Sets of cases to skip while an adapter is being written, by name, for example `payments`. */
  readonly skip?: readonly string[] | undefined
}

/**
 * Runs the contract of a {@link Storage} as test cases: those of the required group, and those of the optional groups that
 * the storage has. The cases create accounts and profiles with fresh names and delete nothing else, so they also run on a storage
 * with data.
 *
 * @throws TypeError when a group or a set of cases does not exist
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/storage.md
 * @example
 * storageContract(vitest, { storage: () => ownStorage(), groups: ['reactions'] })
 */
export function storageContract(
  runner: TestRunner,
  { storage: create, groups = OPTIONAL_GROUPS, skip = [] }: StorageContractOptions,
): void {
  const unknown = [
    ...groups.filter((name) => !Object.hasOwn(STORES_OF_GROUP, name)),
    ...skip.filter((name) => !Object.hasOwn(storageCases, name)),
  ]
  if (unknown.length > 0) throw new TypeError(`The storage contract has no group or cases ${unknown.join(', ')}`)

  const { describe, it, beforeAll, afterAll } = contractRunner(runner)

  describe('storage', () => {
    let made: Storage | undefined
    beforeAll(async () => {
      made = await create()
    })
    afterAll(async () => {
      await made?.close()
    })
    const storage = () => {
      if (!made) throw new Error('The storage was not created')
      return made
    }

    it('has the optional groups that are tested, each with all of its stores', async () => {
      assert.deepEqual([...storage().groups].sort(), [...groups].sort())
      const stores = groups.flatMap((group) => [...STORES_OF_GROUP[group]])
      const missing = (half: Readers) => stores.filter((name) => half[name] === undefined)
      assert.deepEqual(missing(storage().read), [])
      assert.deepEqual(await storage().transaction(async (tx) => missing(tx)), [])
    })

    for (const [name, parts] of Object.entries(storageCases)) {
      const cases = parts.filter((part) => part.groups.every((group) => groups.includes(group)))
      if (skip.includes(name) || cases.length === 0) continue
      describe(name, () => {
        for (const { declare } of cases) declare(it, storage)
      })
    }
  })
}
