/** Checks who signed a text with a wallet. */
export interface WalletVerifier {
  /** The chains it can check on, by EIP-155 id. */
  readonly chainIds: readonly number[]
  /**
   * Whether the wallet at `address` signed `message` (EIP-191). Plain keys are checked without a network; contract
   * wallets (EIP-1271) by asking the chain. Throws when the chain must be asked and does not answer.
   */
  verify(signed: {
    readonly address: string
    readonly chainId: number
    readonly message: string
    readonly signature: string
  }): Promise<boolean>
}
