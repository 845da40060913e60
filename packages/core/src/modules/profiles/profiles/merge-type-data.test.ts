import fc from 'fast-check'
import { expect, it } from 'vitest'
import { typeDataWith } from '../../../model/type-data/index.ts'
import { mergeTypeData } from './merge-type-data.ts'

const { event, person } = typeDataWith({})

it('keeps members that are not named, replaces those that are, and removes those that are null', () => {
  const stored = { headline: 'Before', location: 'London', languages: ['en', 'fr'] }
  const merged = mergeTypeData(person, stored, { headline: 'After', location: null, availability: 'now' })
  expect(merged).toEqual({ headline: 'After', languages: ['en', 'fr'], availability: 'now' })
})

it('checks members against those that were stored', () => {
  const stored = { starts_at: '2026-01-02T10:00:00Z', ends_at: '2026-01-02T12:00:00Z' }
  expect(() => mergeTypeData(event, stored, { starts_at: '2026-01-02T13:00:00Z' })).toThrow(
    /Must not be before the start/,
  )
  const moved = { starts_at: '2026-01-02T13:00:00Z', ends_at: null }
  expect(mergeTypeData(event, stored, moved)).toEqual({ starts_at: '2026-01-02T13:00:00Z' })
})

it('refuses members that the type does not have, and lets stored ones be removed', () => {
  expect(() => mergeTypeData(person, {}, { nonsense: 1 })).toThrow(/nonsense/)
  expect(mergeTypeData(person, { nonsense: 1 }, { nonsense: null })).toEqual({})
})

it('gives the same when the same changes are merged again', () => {
  const text = fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((value) => value.trim() === value && /^\w+$/.test(value))
  const members = fc.record({ headline: text, location: text }, { requiredKeys: [] })
  const changes = fc.record({ headline: fc.option(text), location: fc.option(text) }, { requiredKeys: [] })
  fc.assert(
    fc.property(members, changes, (stored, change) => {
      const once = mergeTypeData(person, stored, change)
      expect(mergeTypeData(person, once, change)).toEqual(once)
    }),
  )
})
