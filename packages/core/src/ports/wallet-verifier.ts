/** Verifies signatures of wallets. */
export interface WalletVerifier {
  /** The supported chains, by EIP-155 id. */
  readonly chainIds: readonly number[]
  /**
   * Whether the wallet at `address` signed `message` (EIP-191). Signatures of externally owned accounts are verified
   * locally; those of contract wallets (EIP-1271) with a call to the chain. Throws when that call fails.
   */
  verify(signed: {
    readonly address: string
    readonly chainId: number
    readonly message: string
    readonly signature: string
  }): Promise<boolean>
}
