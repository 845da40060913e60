export interface GateEvents {
  'gates.config_changed': { readonly version: number }
  'gates.entitlement_granted': {
    readonly entitlementId: string
    readonly resourcePattern: string
    readonly tier: string
    /** ISO 8601; null is for ever. */
    readonly validUntil: string | null
    /** Why somebody gave it by hand, or what is left of what was taken back; absent for what was paid just now. */
    readonly reason?: string
  }
  'gates.entitlement_revoked': {
    readonly entitlementId: string
    readonly resourcePattern: string
    readonly tier: string
    readonly reason: string
  }
}
