import { expect, it } from 'vitest'
import { z } from 'zod'
import { shareSchemas } from './shared-schemas.ts'

const json = (schema: z.ZodType) => z.toJSONSchema(schema)

it('moves the named schemas to the components of an OpenAPI document', () => {
  const author = z.object({ name: z.string() }).meta({ id: 'Author' })
  const { tree, schemas } = shareSchemas({ body: json(z.object({ author }).meta({ id: 'Page' })) })
  expect(tree).toMatchObject({ body: { $ref: '#/components/schemas/Page' } })
  expect(Object.keys(schemas).sort()).toEqual(['Author', 'Page'])
  expect(schemas.Page).toMatchObject({ properties: { author: { $ref: '#/components/schemas/Author' } } })
  expect(JSON.stringify({ tree, schemas })).not.toContain('$defs')
})

it('shares equal schemas of one name, and numbers different ones', () => {
  const page = () => json(z.object({ title: z.string() }).meta({ id: 'Page' }))
  const other = json(z.object({ number: z.int() }).meta({ id: 'Page' }))
  const { tree, schemas } = shareSchemas([page(), page(), other])
  const [first, second, third] = ['Page', 'Page', 'Page2'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  expect(tree).toMatchObject([first, second, third])
  expect(Object.keys(schemas)).toEqual(['Page', 'Page2'])
})

it('describes any JSON value as {}, because TypeScript refuses a type in terms of itself', () => {
  const { tree, schemas } = shareSchemas(json(z.object({ values: z.record(z.string(), z.json()) })))
  expect(tree).toMatchObject({ properties: { values: { additionalProperties: {} } } })
  expect(schemas).toEqual({})
})

it('keeps a recursive schema without a name under a number, not under a hash', () => {
  const node = z.object({
    get nodes() {
      return z.array(node)
    },
  })
  const { tree, schemas } = shareSchemas([json(z.object({ node })), json(z.object({ other: z.int(), node }))])
  expect(Object.keys(schemas)).toEqual(['Schema'])
  const reference = { $ref: '#/components/schemas/Schema' }
  expect(schemas.Schema).toMatchObject({ properties: { nodes: { items: reference } } })
  expect(tree).toMatchObject([{ properties: { node: reference } }, { properties: { node: reference } }])
})

it('leaves a schema without definitions unchanged', () => {
  const tree = { a: [1, { $ref: '#/components/schemas/Error' }], b: null }
  expect(shareSchemas(tree)).toEqual({ tree, schemas: {} })
})
