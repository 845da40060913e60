import type { Account } from '../../model/account.ts'
import type { ErasedAccount } from './erasure.ts'

/** A link between an account and a user of a sign-in provider. */
export interface Identity {
  /** `github`, `google`, `oidc`, or `host` for the host's own users. */
  readonly provider: string
  /** The provider's id of the user; never changes. */
  readonly subject: string
  readonly accountId: string
  readonly email: string | null
  readonly createdAt: Date
}

/** Links between accounts and users of sign-in providers, for reading. */
export interface IdentityReader {
  /** Returns the link of a user of the provider; undefined when no account is linked. */
  get(provider: string, subject: string): Promise<Identity | undefined>
  /** The account of a user of the provider, in one query. */
  getAccount(provider: string, subject: string): Promise<Account | undefined>
  /** Returns the links of an account, oldest first. */
  listOfAccount(accountId: string): Promise<readonly Identity[]>
}

/** Links between accounts and users of sign-in providers. */
export interface IdentityStore extends IdentityReader {
  /** Links an account. `undefined` when this user of the provider is already linked, to any account. */
  insert(identity: Identity): Promise<Identity | undefined>
  /** Unlinks one user of a provider from an account. Returns whether it was linked. Lock the account first. */
  delete(identity: Pick<Identity, 'provider' | 'subject' | 'accountId'>): Promise<boolean>
  /** Unlinks every provider from an account. Returns how many were linked. */
  deleteOfAccount(accountId: string): Promise<number>
  /** Deletes the identities of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
