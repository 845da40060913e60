import { type OptionalGroup, type Readers, STORES_OF_GROUP, type Stores } from '../../ports/storage/groups.ts'

/**
 * Narrows the type of stores to those of a module that needs `group`. For functions that other modules call with their own
 * transaction.
 *
 * @throws Error when the storage lacks the group
 */
export function requireGroup<Group extends OptionalGroup>(tx: Stores, group: Group): Stores<Group>
export function requireGroup<Group extends OptionalGroup>(read: Readers, group: Group): Readers<Group>
export function requireGroup(stores: Readers, group: OptionalGroup): Readers {
  const isThere = STORES_OF_GROUP[group].every((name) => stores[name] !== undefined)
  if (!isThere) throw new Error(`The storage lacks the group "${group}"`)
  return stores
}
