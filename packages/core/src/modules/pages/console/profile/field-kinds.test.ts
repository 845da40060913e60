import { expect, it } from 'vitest'
import { jsonSchemaOf, typeDataWith } from '../../../../model/type-data/index.ts'
import { fieldsOf } from './field-kinds.ts'

const kinds = (type: Parameters<typeof jsonSchemaOf>[1]) =>
  Object.fromEntries(
    fieldsOf(jsonSchemaOf(typeDataWith({}), type, 'https://api.example')).map(({ name, kind }) => [name, kind]),
  )

it('enters the members of each type in the way of their schema', () => {
  expect({ event: kinds('event'), place: kinds('place'), organization: kinds('organization') }).toEqual({
    event: { starts_at: 'moment', ends_at: 'moment', timezone: 'line', venue: 'line', online_url: 'line' },
    place: { address: 'parts', geo: 'numbers', opening_hours: 'list' },
    organization: {
      legal_name: 'line',
      industry: 'line',
      founded: 'lineOrNumber',
      size: 'lineOrNumber',
      headquarters: 'line',
    },
  })
  expect({ product: kinds('product'), knowledge: kinds('knowledge'), custom: kinds('custom') }).toEqual({
    product: { sku: 'line', brand: 'line', price: 'money', availability: 'line' },
    knowledge: { subject: 'line', abstract: 'area', authors: 'list', license: 'line' },
    custom: { schema_url: 'line', fields: 'json' },
  })
})
