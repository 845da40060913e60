/** A transfer of money. */
export interface CashTransfer {
  readonly reference: string
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly at: Date
}

/**
 * The transfers, as a chain or a bank would record them. Cash wallets that share a ledger act as
 * instances of one service. New wallets on an existing ledger act as a service after a restart.
 */
export interface CashLedger {
  /** Transfers money once for each key. A repeated call returns the first transfer. */
  take(key: string, transfer: Omit<CashTransfer, 'reference'>): CashTransfer
  find(key: string): CashTransfer | undefined
  /** Every transfer, oldest first. */
  list(): readonly CashTransfer[]
}

/** An empty ledger in memory. */
export function createCashLedger(): CashLedger {
  const transfers = new Map<string, CashTransfer>()
  return {
    take(key, transfer) {
      const known = transfers.get(key)
      if (known) return known
      const made = { ...transfer, reference: `cash_${key}` }
      transfers.set(key, made)
      return made
    },
    find: (key) => transfers.get(key),
    list: () => [...transfers.values()],
  }
}
