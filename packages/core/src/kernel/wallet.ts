import { foldAddress } from './email-address.ts'
/** EVM addresses are case-insensitive: they are stored and compared in lower case. */
export const normalWallet = (wallet: string): string => (/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet)

const WALLET = /^[\x21-\x7e]{1,512}$/
const NETWORK = /^[\x21-\x7e]{1,128}$/

/**
 * Whether a text can be the wallet of a holder: 1 to 512 visible ASCII characters. It becomes a part of keys of the storage, whose
 * size is limited, and of headers.
 */
export const isWallet = (text: string): boolean => WALLET.test(text)

/** Whether a text can be the network of a holder: 1 to 128 visible ASCII characters. */
export const isNetwork = (text: string): boolean => NETWORK.test(text)

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
