import { expect, test } from 'vitest'
import { mayHide } from './listing-events.ts'

const saved = (previousStatus: string | null, status = 'published') => ({
  type: 'content.page_saved',
  profileId: 1,
  data: { previousStatus, status },
})

test('what was read already may be hidden by a change', () => {
  for (const type of [
    'profiles.profile_updated',
    'profiles.profile_deleted',
    'profiles.profile_withdrawn',
    'content.category_saved',
    'content.page_deleted',
    'gates.config_changed',
  ]) {
    expect(mayHide({ type, profileId: 1, data: {} }), type).toBe(true)
  }
  expect(mayHide(saved('published', 'draft'))).toBe(true)
  expect(mayHide(saved('published'))).toBe(true)
})

test('what is new hides nothing', () => {
  expect(mayHide({ type: 'profiles.profile_created', profileId: 1, data: {} })).toBe(false)
  expect(mayHide(saved(null))).toBe(false)
  expect(mayHide(saved('draft'))).toBe(false)
  expect(mayHide({ type: 'accounts.session_started', profileId: null, data: {} })).toBe(false)
})

test('what has nothing to do with lists leaves them alone', () => {
  for (const type of [
    'reactions.reaction_added',
    'connections.profile_followed',
    'gates.entitlement_granted',
    'services.service_listed',
    'commerce.offer_made',
  ]) {
    expect(mayHide({ type, profileId: 1, data: {} }), type).toBe(false)
  }
})

test('an event that nobody knows here may hide something', () => {
  expect(mayHide({ type: 'profiles.profile_teleported', profileId: 1, data: {} })).toBe(true)
})
