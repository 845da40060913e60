/** Addresses of EVM chains mean the same in any case; they are compared and kept in lower case. */
export const normalWallet = (wallet: string): string => (/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet)

/** What stands for the network where the payer is an agent: the method of its DID, `did:key`. */
export const networkOfDid = (did: string): string => did.split(':', 2).join(':')
