/** Addresses of EVM chains mean the same in any case; they are compared and kept in lower case. */
export const normalWallet = (wallet: string): string => (/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet)

/** What stands for the network where the payer is an agent: the method of its DID, `did:key`. */
export const networkOfDid = (did: string): string => did.split(':', 2).join(':')

/** Whoever holds an entitlement: an address, and the network or the kind of name that it is. */
export interface Holder {
  readonly payerWalletAddress: string
  readonly payerNetwork: string
}

/**
 * An account as a holder. Its "network" has no colon, unlike those of wallets and agents, so that no header, cookie or rail
 * can name an account.
 */
export const accountHolder = (accountId: string): Holder => ({ payerWalletAddress: accountId, payerNetwork: 'account' })

/** An email address as a holder: the account that verified it. */
export const emailHolder = (email: string): Holder => ({
  payerWalletAddress: email.toLowerCase(),
  payerNetwork: 'email',
})
