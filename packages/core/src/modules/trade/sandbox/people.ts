import { randomBytes, randomUUID } from 'node:crypto'
import type { TakeOverStep } from '../../../framework/module/context.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Account } from '../../../model/account.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import {
  type AccountService,
  confirmEmail,
  createTakeOver,
  freeUsername,
  insertAccount,
  type Session,
} from '../../people/accounts/index.ts'

/** The people as whom a visitor of the sandbox can continue. */
export const PEOPLE = ['owner', 'buyer', 'admin'] as const
export type SandboxPerson = (typeof PEOPLE)[number]

export interface PeopleDeps extends GuardedStorage {
  readonly clock: Clock
  readonly accounts: Pick<AccountService, 'admit'>
  /** The address of the account that owns the demo. */
  readonly owner: string | undefined
  /** The addresses of administrators, of which the first is used. */
  readonly adminEmails: readonly string[]
  readonly publicAfterVerification: boolean
  /** The accesses that modules end when an account gets another owner. */
  readonly takeOvers: readonly TakeOverStep[]
}

/** Signs visitors of the sandbox in as others. */
export function createPeople({ read, write, clock, accounts, owner, adminEmails, takeOvers, ...settings }: PeopleDeps) {
  const [admin] = adminEmails
  const takeOverAccount = createTakeOver({ clock, takeOvers })

  /** Creates an account without a password, which owns its address. */
  async function create(email: string, fullName: string): Promise<Account> {
    const createdAt = clock()
    const username = await freeUsername(read, { email: null, fullName }, createdAt)
    return write(async (tx, emit) => {
      const account = { id: randomUUID(), email, username, fullName, passwordHash: null, createdAt }
      const made = await insertAccount(tx, emit, account, settings)
      return (await confirmEmail(tx, emit, made)) ?? made
    })
  }

  /** The owner of the demo. An account that does not own the address may be that of another person who registered it. */
  async function findOwner(): Promise<Account | undefined> {
    const account = owner === undefined ? undefined : await read.accounts.get({ email: owner })
    return account?.emailOwned ? account : undefined
  }

  /**
   * The account of the administrators. Another person may have registered its address before: everything that gave them access to it
   * ends, because it becomes an administrator.
   */
  async function findOrCreateAdmin(email: string): Promise<Account | undefined> {
    const found = await read.accounts.get({ email })
    if (!found) return create(email, 'Test administrator')
    return write(async (tx, emit) => {
      const account = await tx.accounts.lock(found.id)
      return account && (account.emailOwned ? account : takeOverAccount(tx, emit, account))
    })
  }

  async function accountOf(person: SandboxPerson): Promise<Account | undefined> {
    if (person === 'owner') return findOwner()
    if (person === 'buyer') return create(`buyer-${randomBytes(4).toString('hex')}@example.com`, 'Test buyer')
    return admin === undefined ? undefined : findOrCreateAdmin(admin)
  }

  return {
    /** The people that there are: the demo may have been removed, and a service may have no administrators. */
    async list(): Promise<readonly SandboxPerson[]> {
      const hasOwner = (await findOwner()) !== undefined
      return PEOPLE.filter((person) => (person === 'owner' ? hasOwner : person === 'buyer' || admin !== undefined))
    },

    /** Begins a session of a person, who is created when needed. A buyer is always a new one. Undefined when there is none. */
    async continueAs(person: SandboxPerson, userAgent: string | undefined): Promise<Session | undefined> {
      const account = await accountOf(person)
      return account && accounts.admit(account, { userAgent })
    },
  }
}

export type People = ReturnType<typeof createPeople>
