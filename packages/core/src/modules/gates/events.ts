export interface GateEvents {
  'gates.config_changed': { readonly version: number }
  'gates.entitlement_granted': {
    readonly entitlementId: string
    readonly resourcePattern: string
    readonly tier: string
    /** ISO 8601; null is for ever. */
    readonly validUntil: string | null
  }
}
