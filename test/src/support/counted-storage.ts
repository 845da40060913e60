import type { Storage } from '@eep/core/ports'

/** Counts what a storage is asked, apart from the log, which is followed in the background. */
export function countedStorage(storage: Storage) {
  const calls: string[] = []
  let isLogDown = false
  const counting = (name: string, reader: object) =>
    new Proxy(reader, {
      get(target, property, receiver) {
        if (name !== 'events') calls.push(`${name}.${String(property)}`)
        else if (isLogDown) return () => Promise.reject(new Error('The log cannot be read'))
        return Reflect.get(target, property, receiver)
      },
    })
  const readers = Object.entries(storage.read).map(([name, reader]) => [name, counting(name, reader)])
  return {
    calls,
    // The entries are those of the readers above.
    storage: { ...storage, read: Object.fromEntries(readers) } as Storage,
    /** Lets every read of the log fail. A service bypasses its caches soon after that. */
    breakLog() {
      isLogDown = true
    },
  }
}
