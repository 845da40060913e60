import { expect, it } from 'vitest'
import type { ProfileType } from '../../../model/profile-type.ts'
import { typeFact } from './type-fact.ts'

it.each<[ProfileType, object, string | undefined]>([
  ['event', { starts_at: '2027-01-21T23:30:00', timezone: 'Pacific/Auckland' }, 'Jan 21, 2027'],
  ['event', { starts_at: '2027-01-21T23:30:00Z', timezone: 'Pacific/Auckland' }, 'Jan 22, 2027'],
  ['event', { starts_at: 'soon' }, undefined],
  ['product', { price: { amount: '24', currency: 'EUR' } }, '€24.00'],
  ['product', { price: 'on request' }, undefined],
  ['asset', { value: { amount: 48_500, currency: 'EUR' } }, '€48,500.00'],
  ['person', { location: 'Kyoto' }, 'Kyoto'],
  ['person', { location: ' ' }, undefined],
  ['organization', { headquarters: 'Wien' }, 'Wien'],
  ['place', { address: { street: 'North Mole 1', city: 'Skagen' } }, 'Skagen'],
  ['place', { address: 'North Mole 1' }, undefined],
  ['agent', { location: 'nowhere' }, undefined],
])('shows of a profile of the type %s with %j: %s', (type, typeData, fact) => {
  expect(typeFact({ type, typeData: { ...typeData } }, { language: 'en' })).toBe(fact)
})
