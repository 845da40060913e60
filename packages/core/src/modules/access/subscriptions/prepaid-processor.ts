/** The processor of years that are paid ahead in stablecoins, which is also the currency of their prices. */
export const PAID_BEFOREHAND = 'usdc'

/** Whether a subscription was paid ahead, so that no processor bills it. */
export const isPrepaid = ({ processor }: { readonly processor: string }): boolean => processor === PAID_BEFOREHAND
