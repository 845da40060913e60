export interface AccountEvents {
  'accounts.account_registered': { readonly accountId: string; readonly username: string }
  'accounts.session_started': { readonly accountId: string }
  /** Its owner signed in before the time was over. */
  'accounts.deletion_cancelled': { readonly accountId: string }
}
