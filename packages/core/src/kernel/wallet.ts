/** Addresses of EVM chains mean the same in any case; they are compared and kept in lower case. */
export const normalWallet = (wallet: string): string => (/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet)

/** What stands for the network where the payer is an agent: the method of its DID, `did:key`. */
export const networkOfDid = (did: string): string => did.split(':', 2).join(':')

/** The holder of an entitlement: an address, and its network or kind. */
export interface Holder {
  readonly payerWalletAddress: string
  readonly payerNetwork: string
}

/** The network of payers that a mailed link identified: the buyers who entered an email address where they paid. */
export const BUYER_NETWORK = 'eep:buyer'

/** Networks that only the service itself gives to holders and payers. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['account', 'email', BUYER_NETWORK])

/** The network of a payer as a rail names it; prefixed with the name of the rail where the service reserves that name. */
export const networkOfRail = (rail: string, network: string): string =>
  OWN_NETWORKS.has(network) ? `${rail}:${network}` : network

/** An account as a holder. Its "network" has no colon, and headers and cookies name only networks that have one. */
export const accountHolder = (accountId: string): Holder => ({ payerWalletAddress: accountId, payerNetwork: 'account' })

/** An email address as a holder: the account that verified it. */
export const emailHolder = (email: string): Holder => ({
  payerWalletAddress: email.toLowerCase(),
  payerNetwork: 'email',
})
