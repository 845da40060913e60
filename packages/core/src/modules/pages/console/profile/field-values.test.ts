import { expect, it } from 'vitest'
import { changesOf, customFieldsOf } from './field-values.ts'

it('leaves a moment exactly as it was when its input was not changed', () => {
  const fields = [{ name: 'starts_at', kind: 'moment' }] as const
  const stored = { starts_at: '2026-12-01T19:00:00Z' }
  expect(changesOf(fields, { 't.starts_at': '2026-12-01T19:00' }, stored)).toEqual(stored)
  expect(changesOf(fields, { 't.starts_at': '2026-12-01T20:00' }, stored)).toEqual({
    starts_at: '2026-12-01T20:00:00Z',
  })
  expect(changesOf(fields, { 't.starts_at': '' }, stored)).toEqual({ starts_at: null })
})

it('keeps the parts of an address that the form does not offer', () => {
  const fields = [{ name: 'address', kind: 'parts' }] as const
  const stored = { address: { city: 'Kyoto', chome: '3' } }
  const texts = { 't.address.city': 'Osaka', 't.address.chome': '3', 't.address.street': '' }
  expect(changesOf(fields, texts, stored)).toEqual({ address: { city: 'Osaka', chome: '3' } })
})

it('does not change members whose inputs were not sent', () => {
  const fields = [
    { name: 'venue', kind: 'line' },
    { name: 'price', kind: 'money' },
  ] as const
  expect(changesOf(fields, {}, { venue: 'Hall', price: { amount: 1, currency: 'eur' } })).toEqual({})
})

it('keeps custom fields without an input, and the kind of those with one', () => {
  const stored = { size: 3, open: true, motto: 'Add', tree: { a: 1 }, gone: 'x' }
  const texts = { 'c.size': '4', 'c.open': 'false', 'c.motto': 'Add', 'c.gone': '' }
  expect(
    customFieldsOf(stored, texts, [
      ['new', 'value'],
      ['', 'ignored'],
    ]),
  ).toEqual({
    size: 4,
    open: false,
    motto: 'Add',
    tree: { a: 1 },
    new: 'value',
  })
})
