import type { ErasedAccount } from './erasure.ts'

/** A wallet that an account verified (EIP-4361). */
export interface Wallet {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  /** Checksummed. */
  readonly address: string
  readonly chainId: number
  readonly verifiedAt: Date
}

/** The payout address of an account on a network. */
export interface Payout {
  readonly id: number
  readonly accountId: string
  /** Null when the wallet was unlinked; such a payout is disabled. */
  readonly walletId: string | null
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  readonly enabled: boolean
  readonly createdAt: Date
}

/** A payout address to insert. */
export type NewPayout = Omit<Payout, 'id'>

/** Linked wallets, for reading. */
export interface WalletReader {
  /** Returns a linked wallet; undefined when it does not exist. */
  get(id: string): Promise<Wallet | undefined>
  /** The wallets of an account, oldest first. */
  listOfAccount(accountId: string): Promise<readonly Wallet[]>
}

/** Linked wallets. */
export interface WalletStore extends WalletReader {
  /** Links a wallet, or records that a linked one was verified again. There is one row for (account, address, chain). */
  put(wallet: Wallet): Promise<Wallet>
  /** Unlinks a wallet; its payouts are disabled and no longer refer to it. False when it does not exist. */
  delete(id: string): Promise<boolean>
  /** Deletes the wallets of an account, and its payouts. */
  eraseAccount(account: ErasedAccount): Promise<void>
}

/** Payout addresses, for reading. */
export interface PayoutReader {
  /** Returns a payout address, also a disabled one; undefined when it does not exist. */
  get(id: number): Promise<Payout | undefined>
  /** Returns the payout addresses of an account, oldest first, with disabled ones. */
  listOfAccount(accountId: string): Promise<readonly Payout[]>
  /** The enabled address of an account for each network: CAIP-2 → address. */
  addressesOf(accountId: string): Promise<Readonly<Record<string, string>>>
}

/** Payout addresses. */
export interface PayoutStore extends PayoutReader {
  /** Adds an enabled payout and disables the account's others on its network, so that one is enabled. */
  insert(payout: NewPayout): Promise<Payout>
  /** Deletes a payout address. False when it does not exist. */
  delete(id: number): Promise<boolean>
  /** Disables the payouts of a wallet; returns how many were enabled. */
  disableOfWallet(walletId: string): Promise<number>
}
