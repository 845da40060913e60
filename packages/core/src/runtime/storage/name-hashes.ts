import { hmac } from '../../kernel/digest.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import { PROFILE_TYPES } from '../../model/profile-type.ts'
import type { ProfileName, ProfileNameStore, ProfileReader, ProfileStore } from '../../ports/storage/profiles.ts'
import type { Storage } from '../../ports/storage/storage.ts'

/** Returns the keyed hashes of a profile name, one for each secret of the service, the newest first. */
export type NameHashes = (name: ProfileName) => readonly [string, ...string[]]

/** Hashes names with a key of the service, so that a reserved name cannot be guessed from a copy of the database. */
export function createNameHashes(keyring: Pick<Keyring, 'shared'>): NameHashes {
  const [first, ...others] = keyring.shared('profile-names')
  return ({ type, username }) => {
    const text = `${type}:${username}`
    return [hmac(first.key, text), ...others.map(({ key }) => hmac(key, text))]
  }
}

/**
 * Returns a store, or the stores of a transaction, with other members. Not a copy, which would create every store of the
 * transaction, and not a proxy of the store itself, which may be frozen.
 */
function replacing<Store extends object>(store: Store, members: Partial<Store>): Store {
  const valueFor = (key: string | symbol): unknown => Reflect.get(Object.hasOwn(members, key) ? members : store, key)
  return new Proxy<Store>({} as Store, {
    get: (_target, key) => valueFor(key),
    has: (_target, key) => Reflect.has(store, key),
    ownKeys: () => Reflect.ownKeys(store),
    getOwnPropertyDescriptor(_target, key) {
      const found = Reflect.getOwnPropertyDescriptor(store, key)
      // Not its value: each read through another proxy asks for the descriptor too.
      return found && { get: () => valueFor(key), enumerable: found.enumerable ?? false, configurable: true }
    },
  })
}

/**
 * Adds the hashes of the name to each request for a profile name, so that no caller can take a reserved name by omitting
 * them.
 */
export function withNameHashes(
  storage: Pick<Storage, 'read' | 'transaction'>,
  hashesOf: NameHashes,
): Pick<Storage, 'read' | 'transaction'> {
  const reader = <Reader extends ProfileReader>(profiles: Reader, more: Partial<ProfileStore> = {}): Reader =>
    replacing<ProfileReader>(profiles, {
      ...more,
      listTypesOf: (username, at) =>
        profiles.listTypesOf(
          username,
          at,
          PROFILE_TYPES.flatMap((type) => hashesOf({ type, username })),
        ),
    }) as Reader

  const writer = (profiles: ProfileStore): ProfileStore =>
    reader(profiles, {
      insert: (profile) => profiles.insert(profile, hashesOf(profile)),
    })

  const names = (store: ProfileNameStore, profiles: ProfileReader): ProfileNameStore =>
    replacing<ProfileNameStore>(store, {
      async rename(id, change) {
        const type = (await profiles.get(id))?.type
        return type && store.rename(id, { ...change, nameHashes: hashesOf({ type, username: change.username }) })
      },
    })

  return {
    read: { ...storage.read, profiles: reader(storage.read.profiles) },
    transaction: (work) =>
      storage.transaction((tx) =>
        work(
          replacing(tx, {
            profiles: writer(tx.profiles),
            ...(tx.profileNames && { profileNames: names(tx.profileNames, tx.profiles) }),
          }),
        ),
      ),
  }
}
