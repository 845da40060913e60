/** The processor of years that are paid ahead in stablecoins, which is also the currency of their prices. */
export const PAID_BEFOREHAND = 'usdc'
