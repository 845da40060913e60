import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AUDIT_OUTCOMES, AUDIT_TYPES } from '../../model/audit.ts'
import { everyModule } from '../../testing/every-module.ts'

const audited = everyModule.flatMap(({ events }) => events.filter(({ audit }) => audit !== undefined))

describe('audited events', () => {
  it.each(audited)('$type has a type and an outcome of EEP', ({ audit }) => {
    expect(AUDIT_TYPES).toContain(audit?.type)
    expect(AUDIT_OUTCOMES).toContain(audit?.outcome)
  })

  it.each(audited)('$type has no entry once its payload was erased', ({ type, audit }) => {
    const event = { id: randomUUID(), cursor: '1', type, at: new Date(), profileId: 1, accountId: null, data: {} }
    expect(audit?.of(event)).toBeUndefined()
  })

  it('are those of payments, entitlements, deals, sessions, connected apps and webhooks', () => {
    expect(audited.map(({ type }) => type).sort()).toEqual([
      'accounts.sessions_ended',
      'commerce.deal_invoiced',
      'commerce.deal_paid',
      'commerce.offer_accepted',
      'commerce.offer_countered',
      'commerce.offer_expired',
      'commerce.offer_made',
      'commerce.offer_rejected',
      'gates.entitlement_granted',
      'gates.entitlement_revoked',
      'gates.session_renewed',
      'gates.sessions_revoked',
      'oauth_server.app_changed',
      'oauth_server.app_connected',
      'oauth_server.app_disconnected',
      'oauth_server.profile_apps_changed',
      'oauth_server.refresh_token_reused',
      'oauth_server.spend_limit_reached',
      'payments.payment_refused',
      'payments.payment_settled',
      'payments.payment_suspended',
      'webhooks.subscription_paused',
    ])
  })
})
