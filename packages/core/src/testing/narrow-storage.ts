import {
  OPTIONAL_GROUPS,
  type OptionalGroup,
  type Readers,
  STORES_OF_GROUP,
  type Stores,
} from '../ports/storage/groups.ts'
import type { Storage } from '../ports/storage/storage.ts'

/** Returns a storage with only some of its optional groups, to test a service without the others. */
export function narrowStorage(storage: Storage, groups: readonly OptionalGroup[]): Storage {
  const left = OPTIONAL_GROUPS.filter((group) => !groups.includes(group))
  const missing = new Set<string>(left.flatMap((group) => [...STORES_OF_GROUP[group]]))
  const narrow = <Half extends Readers | Stores>(half: Half): Half => ({
    ...half,
    ...Object.fromEntries([...missing].map((name) => [name, undefined])),
  })
  return {
    ...storage,
    groups: storage.groups.filter((group) => groups.includes(group)),
    read: narrow(storage.read),
    transaction: (work) => storage.transaction((tx) => work(narrow(tx))),
  }
}
