/** Who is paid where is nobody else's business: the events name an account and no address. */
export interface WalletEvents {
  'wallets.wallet_linked': { readonly walletId: string; readonly network: string }
  'wallets.wallet_unlinked': { readonly walletId: string; readonly network: string }
  /** What is sold by the account is paid elsewhere from now on. */
  'wallets.payout_changed': { readonly network: string }
}
