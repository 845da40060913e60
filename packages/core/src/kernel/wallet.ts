/** Addresses of EVM chains mean the same in any case; they are compared and kept in lower case. */
export const normalWallet = (wallet: string): string => (/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet)
