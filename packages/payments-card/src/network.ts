/**
 * The name of Stripe as a network, by its key: money of test keys is worth nothing. In a file without the library of Stripe, which hosts
 * load only when they use it.
 */
export const stripeNetwork = ({ secretKey }: { readonly secretKey: string }): 'stripe:live' | 'stripe:test' =>
  secretKey.includes('_live_') ? 'stripe:live' : 'stripe:test'
