import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account, NewAccount } from '../../ports/storage/accounts.ts'
import type { Category, ContentPage, NewCategory, NewPage } from '../../ports/storage/content.ts'
import type { StoredEvent } from '../../ports/storage/events.ts'
import type { NewPayment, Payment } from '../../ports/storage/payments.ts'
import type { NewProfile, Profile } from '../../ports/storage/profiles.ts'
import type { OptionalGroup, Readers, Storage, Stores } from '../../ports/storage/storage.ts'
import { endOfLog, eventsAfter } from '../event-log.ts'
import { newAccount, newCategory, newPage, newPayment, newProfile } from '../records.ts'
import type { TestRunner } from '../runner.ts'

/** Declares cases for a storage that has the named optional groups. */
export type DeclareCases<With extends OptionalGroup = never> = (it: TestRunner['it'], bench: Bench<With>) => void

/** Cases of the storage contract, and the optional groups that they need. */
export interface Cases {
  readonly groups: readonly OptionalGroup[]
  /** Declares the cases. */
  declare(it: TestRunner['it'], storage: () => Storage): void
}

/**
 * Cases for storages that have all of these optional groups. They belong to the first one, or to the required
 * group when none is named.
 */
export const casesFor = <const Groups extends readonly OptionalGroup[]>(
  groups: Groups,
  declare: DeclareCases<Groups[number]>,
): Cases => ({
  groups,
  // The contract declares them only for a storage that has the groups.
  declare: (it, storage) => declare(it, createBench(storage as () => Storage<Groups[number]>)),
})

export type Bench<With extends OptionalGroup = never> = ReturnType<typeof createBench<With>>

/** A storage under test, with functions that create the records of cases. Every record has fresh names; no table is emptied. */
export function createBench<With extends OptionalGroup = never>(storage: () => Storage<With>) {
  const write = <Result>(work: (tx: Stores<With>) => Promise<Result>) => storage().transaction(work)

  const account = async (changes?: Partial<NewAccount>): Promise<Account> =>
    present(await write((tx) => tx.accounts.insert(newAccount(changes))))
  const profile = async (changes: Partial<NewProfile> = {}): Promise<Profile> => {
    const ownerAccountId = changes.ownerAccountId ?? (await account()).id
    return present(await write((tx) => tx.profiles.insert(newProfile(ownerAccountId, changes))))
  }

  return {
    get storage(): Storage<With> {
      return storage()
    },
    get read(): Readers<With> {
      return storage().read
    },
    write,
    /** All events after a cursor. Waits until they are settled. */
    events: (after: string, of?: { readonly profileId: number }): Promise<readonly StoredEvent[]> =>
      eventsAfter(storage(), after, of),
    endOfLog: (): Promise<string> => endOfLog(storage()),
    account,
    profile,
    category: async ({ id }: Profile, changes?: Partial<NewCategory>): Promise<Category> =>
      present(await write((tx) => tx.categories.insert(newCategory(id, changes)))),
    page: async ({ id, ownerAccountId }: Profile, changes?: Partial<NewPage>): Promise<ContentPage> =>
      present(await write((tx) => tx.pages.insert(newPage(id, ownerAccountId, changes)))),
    claim: async (changes?: Partial<NewPayment>, leaseMs = MINUTE): Promise<Payment> => {
      const { outcome, payment } = await write((tx) => tx.payments.claim(newPayment(changes), leaseMs))
      assert.equal(outcome, 'claimed')
      return payment
    },

    /**
     * Runs `first` in a transaction that stays open until `others`, each in a separate transaction, are done or wait for it. It pauses
     * where it calls `meanwhile`, by default at its end. `beforeEnd` runs before it ends. On a storage with one connection the others wait, too.
     */
    async overlap<First, Other>(
      first: (tx: Stores<With>, meanwhile: () => Promise<void>) => Promise<First>,
      others: readonly ((tx: Stores<With>) => Promise<Other>)[],
      end: 'commit' | 'rollback' = 'commit',
      beforeEnd: () => Promise<unknown> = async () => {},
    ): Promise<{ readonly first: First | undefined; readonly others: readonly Other[] }> {
      const started = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const meanwhile = () => {
        started.resolve()
        return released.promise
      }
      // All connections are open, so that the calls begin together.
      await Promise.all([first, ...others].map(() => write(async () => undefined)))
      const leader = write(async (tx) => {
        const result = await first(tx, meanwhile)
        await meanwhile()
        if (end === 'rollback') throw rolledBack
        return result
      }).catch((error: unknown) => {
        if (error !== rolledBack) throw error
        return undefined
      })
      await Promise.race([started.promise, leader])
      const followers = Promise.all(others.map((work) => write(work)))
      await chance(followers)
      const looking = beforeEnd()
      await chance(looking)
      released.resolve()
      const [made, following] = await Promise.all([leader, followers, looking])
      return { first: made, others: following }
    },
  }
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/** A lease short enough for a test to wait until it expires. */
export const SHORT_LEASE = 60

/** Waits until a {@link SHORT_LEASE} has expired. */
export const leaseRunsOut = () => sleep(SHORT_LEASE + 60)

const rolledBack = new Error('rolled back')

/** Gives work time to finish, unless it waits for a lock or a connection. */
export const chance = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), sleep(80)])

/** The value, which must exist. */
export function present<Value>(value: Value | undefined): Value {
  assert.notEqual(value, undefined, 'expected a record, got undefined')
  return value as Value
}

/** Text that breaks code that counts bytes, escapes by hand or changes case. */
export const ODD_TEXT = `Zoë 李 👩‍🚀 عربي e\u0301 "quoted" 'it''s' \\n $1 %_ {a,b} NULL\n\ttab`
/** JSON that breaks code that flattens it or confuses kinds of null. */
export const ODD_JSON = {
  text: ODD_TEXT,
  nothing: null,
  no: false,
  number: 0.1,
  large: 9007199254740991,
  list: [1, 'two', null, [], {}, [[{ deep: [true] }]]],
  nested: { ' key with "signs" ': { '': '' } },
}
