import { expect, it } from 'vitest'
import { z } from 'zod'
import { shareSchemas } from './shared-schemas.ts'

const json = (schema: z.ZodType) => z.toJSONSchema(schema)

it('moves the definitions of a schema to the components of an OpenAPI document', () => {
  const { tree, schemas } = shareSchemas({ body: json(z.object({ fields: z.record(z.string(), z.json()) })) })
  expect(JSON.stringify(tree)).not.toContain('$defs')
  const references = [...JSON.stringify({ tree, schemas }).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to)
  expect(references.length).toBeGreaterThan(1)
  for (const reference of references) {
    expect(Object.keys(schemas).map((name) => `#/components/schemas/${name}`)).toContain(reference)
  }
})

it('shares equal definitions of schemas', () => {
  const anything = () => json(z.object({ value: z.json() }))
  expect(Object.keys(shareSchemas([anything(), anything()]).schemas)).toHaveLength(1)
})

it('leaves a schema without definitions unchanged', () => {
  const tree = { a: [1, { $ref: '#/components/schemas/Error' }], b: null }
  expect(shareSchemas(tree)).toEqual({ tree, schemas: {} })
})
