export interface TrustEvents {
  /** Something that counts for the trust in an account changed: it paid, or a payment of it was refunded. */
  'trust.changed': Record<string, never>
}
