import type { Tier } from './store.ts'

interface Whose {
  readonly accountId: string
}

export interface AccountEvents {
  'accounts.account_registered': Whose & { readonly username: string }
  /** The account is called as its person is, and that one was renamed. */
  'accounts.username_changed': Whose & { readonly username: string }
  'accounts.session_started': Whose
  /** The address that the account has now was proven to be its own, in whichever way. */
  'accounts.email_verified': Whose
  /** The owner of its email address took it over; what was registered under it before has ended. */
  'accounts.account_taken_over': Whose
  /** And every session before it has ended. */
  'accounts.password_changed': Whose
  /** What it may keep and call for changed. */
  'accounts.tier_changed': Whose & { readonly tier: Tier; readonly before: Tier }
  'accounts.account_banned': Whose
  'accounts.account_unbanned': Whose
  'accounts.admin_changed': Whose & { readonly isAdmin: boolean }
  /** The account is hidden; what is left of it is removed at that time. */
  'accounts.deletion_scheduled': Whose & { readonly at: string }
  /** Its owner signed in before the time was over. */
  'accounts.deletion_cancelled': Whose
  /** An account is gone for good; nothing tells which it was. */
  'accounts.account_purged': { readonly profiles: number }
}
