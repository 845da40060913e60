import type { OptionalGroup, Storage } from '@eep/core/ports'

/** What the service reads and writes in the background, independently of requests. */
const BACKGROUND = new Set(['events', 'eventRetention', 'followers', 'webhooks'])

/** A storage that notes what is asked of it: `accounts.get` for a read, `write` for a transaction. */
export function watchedStorage(storage: Storage<OptionalGroup>) {
  const asked: string[] = []
  // The type of `Object.fromEntries` loses the keys, which are those of the storage.
  const read = Object.fromEntries(
    Object.entries(storage.read).map(([name, reader]) => [
      name,
      new Proxy(reader as object, {
        get(target, property, receiver) {
          if (!BACKGROUND.has(name)) asked.push(`${name}.${String(property)}`)
          return Reflect.get(target, property, receiver)
        },
      }),
    ]),
  ) as unknown as Storage<OptionalGroup>['read']
  const watched: Storage<OptionalGroup> = {
    ...storage,
    read,
    transaction(work) {
      let isNoted = false
      return storage.transaction((tx) =>
        work(
          new Proxy(tx, {
            get(target, property, receiver) {
              const store = Reflect.get(target, property, receiver)
              if (typeof property !== 'string' || BACKGROUND.has(property) || typeof store !== 'object') return store
              return new Proxy(store, {
                get(methods, name) {
                  if (!isNoted) asked.push('write')
                  isNoted = true
                  return Reflect.get(methods, name)
                },
              })
            },
          }),
        ),
      )
    },
  }
  return { storage: watched, asked }
}
