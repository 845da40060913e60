export type Tier = 'community' | 'pro' | 'team'

export interface Account {
  /** UUID. */
  readonly id: string
  /** As the owner wrote it; unique without regard to case. */
  readonly email: string
  readonly emailVerified: boolean
  /** Unique in the service; `[a-z0-9-]`. */
  readonly username: string
  readonly fullName: string | null
  /** An argon2 encoded string; null for accounts that sign in elsewhere. */
  readonly passwordHash: string | null
  /** Rises when every older session token must die. */
  readonly tokenVersion: number
  readonly tier: Tier
  readonly isAdmin: boolean
  readonly bannedAt: Date | null
  readonly deletionScheduledAt: Date | null
  readonly createdAt: Date
}

export interface NewAccount {
  readonly id: string
  readonly email: string
  readonly username: string
  readonly fullName: string | null
  readonly passwordHash: string | null
  readonly createdAt: Date
}

export type AccountChanges = Partial<
  Pick<
    Account,
    | 'email'
    | 'emailVerified'
    | 'fullName'
    | 'passwordHash'
    | 'tokenVersion'
    | 'tier'
    | 'isAdmin'
    | 'bannedAt'
    | 'deletionScheduledAt'
  >
>

export interface AccountReader {
  get(id: string): Promise<Account | undefined>
  /** Finds by mail without regard to case. */
  getByEmail(email: string): Promise<Account | undefined>
  getByUsername(username: string): Promise<Account | undefined>
}

export interface AccountStore extends AccountReader {
  /** Adds an account. `undefined` when its mail or its username is taken, also by a transaction that commits first. */
  insert(account: NewAccount): Promise<Account | undefined>
  /** Changes the named fields; `undefined` when the account is gone. */
  save(id: string, changes: AccountChanges): Promise<Account | undefined>
}
