import type { OptionalGroup, Storage } from '@eep/core/ports'

/**
 * A storage in which a request can be held after its caller was identified and before its first transaction, as a client
 * holds one that sends the headers and delays the body. Only the held request may use the instance meanwhile.
 */
export function holdingStorage(storage: Storage<OptionalGroup>) {
  let identified = Promise.withResolvers<void>()
  let released = Promise.resolve()
  const { sessions, apiKeys } = storage.read
  const identifies =
    <Args extends readonly unknown[], Found>(find: (...args: Args) => Promise<Found>) =>
    async (...args: Args): Promise<Found> => {
      const found = await find(...args)
      identified.resolve()
      return found
    }
  const holding: Storage<OptionalGroup> = {
    ...storage,
    read: {
      ...storage.read,
      sessions: { ...sessions, getWithAccount: identifies(sessions.getWithAccount) },
      apiKeys: { ...apiKeys, getByHash: identifies(apiKeys.getByHash) },
    },
    async transaction(work) {
      await released
      return storage.transaction(work)
    },
  }
  return {
    storage: holding,
    /** Holds a request until something else was done on another instance, and returns its answer. */
    async holdDuring<Answer>(request: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer> {
      const release = Promise.withResolvers<void>()
      identified = Promise.withResolvers()
      released = release.promise
      try {
        const answer = request()
        await Promise.race([identified.promise, answer])
        await meanwhile()
        release.resolve()
        return await answer
      } finally {
        release.resolve()
      }
    },
  }
}
