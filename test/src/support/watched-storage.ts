import type { OptionalGroup, Storage } from '@eep/core/ports'

/** A storage that notes what is asked of it: `accounts.get` for a read, `write` for a transaction. */
export function watchedStorage(storage: Storage<OptionalGroup>) {
  const asked: string[] = []
  const read = Object.fromEntries(
    Object.entries(storage.read).map(([name, reader]) => [
      name,
      new Proxy(reader as object, {
        get(target, property, receiver) {
          // The service reads the log itself, independently of requests.
          if (name !== 'events') asked.push(`${name}.${String(property)}`)
          return Reflect.get(target, property, receiver)
        },
      }),
    ]),
  ) as unknown as Storage<OptionalGroup>['read']
  const watched: Storage<OptionalGroup> = {
    ...storage,
    read,
    transaction(work) {
      asked.push('write')
      return storage.transaction(work)
    },
  }
  return { storage: watched, asked }
}
