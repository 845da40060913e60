import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { createEventCatalogue } from '../../runtime/events/catalogue.ts'
import { defineEvent, type EventDefinition } from '../../runtime/events/define-event.ts'
import { everyModule } from '../../testing/every-module.ts'
import type { EepEvents } from './events.ts'

const moduleEvents = everyModule.flatMap(({ events }): readonly EventDefinition[] => events)

const catalogue = createEventCatalogue(moduleEvents)
const invalidated = (type: string, data = {}) => catalogue.invalidations({ type, data })

describe('the event catalogue', () => {
  it('invalidates lists after an event that can hide something they show', () => {
    for (const type of [
      'profiles.profile_updated',
      'profiles.profile_deleted',
      'profiles.profile_withdrawn',
      'profiles.profile_purged',
      'content.category_saved',
      'content.page_deleted',
      'gates.config_changed',
    ]) {
      expect(invalidated(type), type).toEqual(['profile', 'lists'])
    }
    expect(invalidated('content.page_saved', { previousStatus: 'published', status: 'draft' })).toContain('lists')
    expect(invalidated('content.page_saved', { previousStatus: 'published' })).toContain('lists')
  })

  it('keeps lists after an event that only adds something or does not concern them', () => {
    expect(invalidated('content.page_saved', { previousStatus: null })).toEqual(['profile'])
    expect(invalidated('content.page_saved', { previousStatus: 'draft' })).toEqual(['profile'])
    for (const type of [
      'profiles.profile_created',
      'profiles.profile_restored',
      'content.pages_reordered',
      'media.transcript_stored',
      'listings.listing_created',
      'gates.entitlement_revoked',
      'teams.member_added',
    ]) {
      expect(invalidated(type), type).toEqual(['profile'])
    }
  })

  it('keeps public pages after an event that none of them shows', () => {
    for (const { type } of moduleEvents) {
      if (!/^(payments|connections|commerce|jobs|reactions|api_keys)[.]/.test(type)) continue
      if (type === 'payments.payer_trust_changed') continue
      expect(invalidated(type), type).toEqual([])
    }
    expect(invalidated('gates.entitlement_granted')).toEqual([])
  })

  it('invalidates the account of events about accounts, except of its sessions, and prices when they change', () => {
    const ofSessions = ['accounts.session_started', 'accounts.sessions_ended']
    for (const { type } of moduleEvents) {
      if (!/^(accounts|wallets|oauth)[.]/.test(type) || type === 'accounts.account_purged') continue
      if (!ofSessions.includes(type)) expect(invalidated(type), type).toContain('account')
    }
    for (const type of ofSessions) expect(invalidated(type), type).toEqual([])
    expect(invalidated('payments.payer_trust_changed')).toEqual(['account'])
    expect(invalidated('trust.level_changed')).toEqual(['profile'])
    expect(invalidated('subscriptions.pricing_changed')).toEqual(['pricing'])
  })

  it('invalidates everything after an event of a newer release', () => {
    expect(invalidated('profiles.profile_teleported')).toEqual(['profile', 'account', 'lists', 'pricing'])
  })

  it('rejects two definitions of one type, and a malformed type', () => {
    const options = { audience: 'internal', subject: 'service', data: z.object({}), summary: 'A test' } as const
    const one = defineEvent('test.thing_done', options)
    expect(() => createEventCatalogue([one, one])).toThrow('The event test.thing_done is defined twice')
    expect(() => defineEvent('ThingDone', options)).toThrow('must be <module>.<noun>_<past participle>')
  })

  it('types payloads by the name of the event', () => {
    expectTypeOf<EepEvents['content.page_saved']['previousStatus']>().toEqualTypeOf<
      'draft' | 'published' | 'archived' | null
    >()
  })
})
