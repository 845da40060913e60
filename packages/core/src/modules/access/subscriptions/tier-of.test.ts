import { expect, it } from 'vitest'
import { SUBSCRIPTION_STATUSES } from '../../../model/subscription-status.ts'
import { tierOf } from './tier-of.ts'

it('returns community without a grant and a subscription', () => {
  expect(tierOf({ grantedTier: null }, undefined)).toBe('community')
})

it('returns the higher of the granted and the subscribed tier', () => {
  const on = (tier: 'pro' | 'team') => ({ tier, status: 'active' as const })
  expect(tierOf({ grantedTier: null }, on('pro'))).toBe('pro')
  expect(tierOf({ grantedTier: 'team' }, on('pro'))).toBe('team')
  expect(tierOf({ grantedTier: 'pro' }, on('team'))).toBe('team')
  expect(tierOf({ grantedTier: 'pro' }, undefined)).toBe('pro')
})

it('counts a subscription while it is tried, paid, or late', () => {
  const giving = SUBSCRIPTION_STATUSES.filter(
    (status) => tierOf({ grantedTier: null }, { tier: 'team', status }) === 'team',
  )
  expect(giving).toEqual(['trialing', 'active', 'past_due'])
})
