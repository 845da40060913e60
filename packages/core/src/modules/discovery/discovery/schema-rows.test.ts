import { describe, expect, it } from 'vitest'
import { createSchemaRows } from './schema-rows.ts'

const DEFINITIONS: Readonly<Record<string, unknown>> = {
  '#/amount': { type: 'object', required: ['value'], properties: { value: { type: 'string', maxLength: 9 } } },
  '#/loop': { oneOf: [{ $ref: '#/loop' }, { type: 'null' }] },
  '#/tree': { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/tree' } } } },
}
const { rowsOf, typeText, exampleOf } = createSchemaRows((reference) => DEFINITIONS[reference])

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required })

describe('the type of a field', () => {
  it.each([
    [{ type: 'string', minLength: 1, maxLength: 64 }, 'string, not empty, at most 64 characters'],
    [{ type: 'string', format: 'date-time' }, 'string, date-time'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }, 'integer, 1 or more | null'],
    [{ enum: ['a', 2] }, '"a" | 2'],
    [{ const: true }, 'true'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 3 }, 'array of string, at most 3 items'],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 5, default: 2 }, 'integer, 5 or less, default 2'],
    [{}, 'any'],
    [{ $ref: '#/unknown' }, 'any'],
  ])('is for %j "%s"', (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })
})

describe('the fields of a schema', () => {
  const named = (schema: unknown) => rowsOf(schema).map(({ name, required }) => (required ? `${name}!` : name))

  it('are named by their place', () => {
    const item = object({ id: { type: 'integer' } }, ['id'])
    const schema = object({ list: { type: 'array', items: item }, map: { type: 'object', additionalProperties: item } })
    expect(named(schema)).toEqual(['list', 'list[].id!', 'map', 'map.*', 'map.*.id!'])
  })

  it('contain those of references', () => {
    expect(rowsOf(object({ price: { $ref: '#/amount', description: 'What it costs' } }))).toEqual([
      { name: 'price', type: 'object', required: false, description: 'What it costs' },
      { name: 'price.value', type: 'string, at most 9 characters', required: true, description: null },
    ])
  })

  it('of alternatives are merged, and required if all alternatives need them', () => {
    const left = object({ kind: { const: 'a' }, x: { type: 'string' } }, ['kind', 'x'])
    const right = object({ kind: { const: 'b' } }, ['kind'])
    const rows = rowsOf({ oneOf: [left, right] })
    expect(rows).toMatchObject([
      { name: 'kind', type: '"a" | "b"', required: true },
      { name: 'x', required: false },
    ])
  })

  it('end where a schema contains itself', () => {
    expect(named({ $ref: '#/tree' }).length).toBeLessThan(10)
  })

  it('are none for values that are not schemas', () => {
    for (const value of [undefined, null, 'x', {}, { type: 'string' }, []]) expect(rowsOf(value)).toEqual([])
  })
})

it.each([
  ['the first of several alternatives', { anyOf: [{ type: 'integer', minimum: 7 }, { type: 'null' }] }, 7],
  ['null where alternatives lead to themselves', { $ref: '#/loop' }, null],
])('writes an example of %s', (_, schema, example) => {
  expect(exampleOf(schema)).toEqual(example)
})

it('writes an example with the required fields', () => {
  const schema = object(
    {
      email: { type: 'string', format: 'email' },
      kind: { enum: ['like', 'bookmark'] },
      ids: { type: 'array', items: { type: 'integer' } },
      note: { type: 'string' },
    },
    ['email', 'kind', 'ids'],
  )
  expect(exampleOf(schema)).toEqual({ email: 'ada@example.com', kind: 'like', ids: [1] })
})
