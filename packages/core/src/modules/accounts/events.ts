export interface AccountEvents {
  'accounts.account_registered': { readonly accountId: string; readonly username: string }
  'accounts.session_started': { readonly accountId: string }
}
