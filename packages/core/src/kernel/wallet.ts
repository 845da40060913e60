import { foldAddress } from './email-address.ts'
/** EVM addresses are case-insensitive: they are stored and compared in lower case. */
export const normalWallet = (wallet: string): string => (/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet)

/** The network of a payer that is an agent: the method of its DID, for example `did:key`. */
export const networkOfDid = (did: string): string => did.split(':', 2).join(':')

/** The holder of an entitlement: an address, and its network or kind. */
export interface Holder {
  readonly payerWalletAddress: string
  readonly payerNetwork: string
}

/** The network of payers that were identified by an emailed link: buyers who entered an email address when they paid. */
export const BUYER_NETWORK = 'eep:buyer'

/** Networks that only the service itself assigns to holders and payers. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['account', 'email', BUYER_NETWORK])

/** The network of a payer as its rail names it, prefixed with the name of the rail if the service reserves that network. */
export const networkOfRail = (rail: string, network: string): string =>
  OWN_NETWORKS.has(network) ? `${rail}:${network}` : network

/** An account as a holder. Its "network" has no colon, so headers and cookies, whose networks have one, cannot name it. */
export const accountHolder = (accountId: string): Holder => ({ payerWalletAddress: accountId, payerNetwork: 'account' })

/** An email address as a holder, for the account that verified it. */
export const emailHolder = (email: string): Holder => ({
  payerWalletAddress: foldAddress(email),
  payerNetwork: 'email',
})
