/** What identifies the grants that one transaction stores at a profile, for one audience. */
export interface GrantKey {
  readonly payerWalletAddress: string
  readonly payerNetwork: string
  readonly resourcePattern: string
}

const KEY = ['payerWalletAddress', 'payerNetwork', 'resourcePattern'] as const

/**
 * Sorts grants by wallet, network and pattern, each compared as UTF-8 bytes. Storages lock entitlements in this order, so a
 * transaction that stores several grants at a profile stores them in this order too: else two of them may deadlock.
 */
export const inLockOrder = <Key extends GrantKey>(grants: readonly Key[]): readonly Key[] =>
  grants.toSorted((left, right) => {
    const column = KEY.find((each) => left[each] !== right[each])
    return column === undefined ? 0 : Buffer.compare(Buffer.from(left[column]), Buffer.from(right[column]))
  })
