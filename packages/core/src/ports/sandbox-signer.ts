/** Signs with the keys of test wallets, for the network of the sandbox only. The keys are those of the service, which stores none. */
export interface SandboxSigner {
  /** Returns the address of a key of 32 bytes, with its checksum. */
  addressOf(key: Uint8Array): Promise<string>
  /**
   * Signs a transfer of the play token (EIP-3009) from the address of the key. Undefined for any other typed data: of another token
   * or network, of another sender, or with other fields.
   *
   * @param typedData - as wallets get it with `eth_signTypedData_v4`
   */
  signTransfer(key: Uint8Array, typedData: unknown): Promise<string | undefined>
  /** Signs a text as wallets do (EIP-191). The caller decides which texts are signed. */
  signMessage(key: Uint8Array, message: string): Promise<string>
}
