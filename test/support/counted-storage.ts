import type { Storage } from '@eep/core/ports'

/** What a service asks again and again without a request. */
const isBackground = (name: string, property: string | symbol) =>
  name === 'events' || (name === 'webhooks' && property === 'isDue')

/** Counts what a storage is asked by requests. */
export function countedStorage(storage: Storage) {
  const calls: string[] = []
  let isLogDown = false
  const counting = (name: string, reader: object) =>
    new Proxy(reader, {
      get(target, property, receiver) {
        if (!isBackground(name, property)) calls.push(`${name}.${String(property)}`)
        if (name === 'events' && isLogDown) return () => Promise.reject(new Error('The log cannot be read'))
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
