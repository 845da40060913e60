import { describe, expect, it, vi } from 'vitest'
import { newProfile } from '../../entries/testing.ts'
import type { ProfileStore } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { withNameHashes } from './name-hashes.ts'

/**
 * A storage whose transactions have these stores, and what was inserted into it. The casts: it has only the stores that are used
 * here, and no readers.
 */
function open(change: (tx: Stores) => Stores = (tx) => tx) {
  const insert = vi.fn<ProfileStore['insert']>()
  const accounts = {}
  const tx = change({ profiles: { insert }, accounts } as unknown as Stores)
  const storage = withNameHashes(
    { read: { profiles: {} } as never, transaction: (work) => work(tx) },
    ({ type, username }) => [`hash of ${type} ${username}`],
  )
  return { storage, insert, accounts }
}

describe('withNameHashes', () => {
  const profile = newProfile('an-account', { type: 'organization', username: 'acme' })
  const changes: Readonly<Record<string, (tx: Stores) => Stores>> = {
    'the stores of a transaction': (tx) => tx,
    'stores that are frozen': (tx) => Object.freeze(tx),
  }

  it.each(Object.entries(changes))('adds the hashes of a name to %s', async (_what, change) => {
    const { storage, insert, accounts } = open(change)
    await storage.transaction(async (tx) => {
      await tx.profiles.insert(profile)
      expect(tx.accounts).toBe(accounts)
    })
    expect(insert).toHaveBeenCalledWith(profile, ['hash of organization acme'])
  })

  it('adds them to a copy of the stores too', async () => {
    const { storage, insert, accounts } = open()
    await storage.transaction(async (tx) => {
      const copy = { ...tx }
      await copy.profiles.insert(profile)
      expect(copy.accounts).toBe(accounts)
    })
    expect(insert).toHaveBeenCalledWith(profile, ['hash of organization acme'])
  })

  it('reads a store once, also through another proxy', async () => {
    const accounts = vi.fn(() => ({}))
    const { storage } = open((tx) => Object.defineProperty({ ...tx }, 'accounts', { get: accounts, enumerable: true }))
    await storage.transaction(async (tx) => void new Proxy(tx, { get: Reflect.get }).accounts)
    expect(accounts).toHaveBeenCalledTimes(1)
  })

  it('does not create the stores that a transaction does not use', async () => {
    const accounts = vi.fn()
    const { storage } = open((tx) => Object.defineProperty({ ...tx }, 'accounts', { get: accounts, enumerable: true }))
    await storage.transaction(async (tx) => void (await tx.profiles.insert(profile)))
    expect(accounts).not.toHaveBeenCalled()
  })
})
