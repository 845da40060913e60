import { isRecord } from '../../../model/field-values.ts'

type Schema = Readonly<Record<string, unknown>>

/** A field of a request or a response. */
export interface SchemaRow {
  /** Its place: `tiers.*.requirements[].type`. `*` is any name, `[]` an item of a list. */
  readonly name: string
  /** Its type and limits in words: `string, at most 64 characters`. */
  readonly type: string
  readonly required: boolean
  readonly description: string | null
}

/** Deeper fields, and fields after so many, are in the OpenAPI document only. */
const MAX_DEPTH = 6
const MAX_ROWS = 250
/** Longer lists of values are cut. */
const MAX_VALUES = 24

const schemasIn = (value: unknown): readonly Schema[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const alternativesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => [...schemasIn(anyOf), ...schemasIn(oneOf)]
const isNumber = (value: unknown): value is number => typeof value === 'number'

const LIMITS: readonly (readonly [key: string, words: (limit: number) => string])[] = [
  ['minLength', (limit) => (limit === 1 ? 'not empty' : `at least ${limit} characters`)],
  ['maxLength', (limit) => `at most ${limit} characters`],
  ['minItems', (limit) => `at least ${limit} items`],
  ['maxItems', (limit) => `at most ${limit} items`],
  ['minimum', (limit) => (limit <= Number.MIN_SAFE_INTEGER ? '' : `${limit} or more`)],
  ['maximum', (limit) => (limit >= Number.MAX_SAFE_INTEGER ? '' : `${limit} or less`)],
]

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value))
  return values.length > MAX_VALUES ? [...shown, '…'].join(' | ') : shown.join(' | ')
}

/** Creates the functions that describe the schemas of a document, whose references `resolve` follows. */
export function createSchemaRows(resolve: (reference: string) => unknown) {
  /** The schema that a reference names, with the members beside the reference. */
  function followed(schema: Schema, seen: ReadonlySet<string> = new Set()): Schema {
    const { $ref, ...rest } = schema
    if (typeof $ref !== 'string' || seen.has($ref)) return rest
    const target = resolve($ref)
    return isRecord(target) ? { ...followed(target, new Set([...seen, $ref])), ...rest } : rest
  }

  function typeText(given: Schema, depth = 0): string {
    const schema = followed(given)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (Array.isArray(schema.enum)) return valuesText(schema.enum)
    const alternatives = alternativesOf(schema)
    if (alternatives.length > 0) {
      if (depth > MAX_DEPTH) return 'any'
      return [...new Set(alternatives.map((alternative) => typeText(alternative, depth + 1)))]
        .slice(0, MAX_VALUES)
        .join(' | ')
    }
    const { type, format, items, default: preset } = schema
    const names = [type ?? 'any'].flat().map(String)
    const ofItems = isRecord(items) && depth <= MAX_DEPTH ? ` of ${typeText(items, depth + 1)}` : ''
    const limits = LIMITS.map(([key, words]) => {
      const limit = schema[key]
      return isNumber(limit) ? words(limit) : ''
    })
    const form = typeof format === 'string' && /^[a-z-]+$/.test(format) ? format : ''
    const byDefault = preset === undefined ? '' : `default ${JSON.stringify(preset)}`
    return [names.join(' | ') + ofItems, form, ...limits, byDefault].filter(Boolean).join(', ')
  }

  /** Lists the fields of a schema by their place. Alternatives are merged: a field is required if all of them need it. */
  function fieldsOf(given: Schema, place: string, depth: number, rows: Map<string, SchemaRow>): void {
    if (depth > MAX_DEPTH) return
    const schema = followed(given)
    for (const part of schemasIn(schema.allOf)) fieldsOf(part, place, depth + 1, rows)
    const alternatives = alternativesOf(schema).map((one) => {
      const own = new Map<string, SchemaRow>()
      fieldsOf(one, place, depth + 1, own)
      return own
    })
    const withFields = alternatives.filter(({ size }) => size > 0)
    for (const own of withFields) {
      for (const [name, row] of own) {
        const known = rows.get(name)
        const type = known ? [...new Set([...known.type.split(' | '), ...row.type.split(' | ')])].join(' | ') : row.type
        const required = row.required && withFields.every((other) => other.get(name)?.required)
        rows.set(name, { ...row, type, required, description: known?.description ?? row.description })
      }
    }
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    for (const [name, member] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
      if (rows.size >= MAX_ROWS) return
      addField(member, place === '' ? name : `${place}.${name}`, required.has(name), depth, rows)
    }
    if (isRecord(schema.additionalProperties) && Object.keys(schema.additionalProperties).length > 0) {
      addField(schema.additionalProperties, place === '' ? '*' : `${place}.*`, false, depth, rows)
    }
    if (isRecord(schema.items)) fieldsOf(schema.items, `${place}[]`, depth + 1, rows)
  }

  function addField(
    member: unknown,
    name: string,
    required: boolean,
    depth: number,
    rows: Map<string, SchemaRow>,
  ): void {
    if (!isRecord(member)) return
    const { description } = followed(member)
    const text = typeof description === 'string' ? description : null
    rows.set(name, { name, type: typeText(member), required, description: text })
    fieldsOf(member, name, depth + 1, rows)
  }

  /** A value that fits a schema roughly, for examples: required fields only. */
  function exampleOf(given: Schema, depth = 0): unknown {
    const schema = followed(given)
    if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
    if (schema.const !== undefined) return schema.const
    if (schema.default !== undefined) return schema.default
    if (Array.isArray(schema.enum)) return schema.enum[0]
    const [first] = alternativesOf(schema)
    if (first) return depth > MAX_DEPTH ? null : exampleOf(first, depth + 1)
    const [type] = [schema.type].flat()
    if (type === 'object') {
      const names = Array.isArray(schema.required) ? schema.required.map(String) : []
      const properties = isRecord(schema.properties) ? schema.properties : {}
      const members = names.map((name) => [name, properties[name]] as const)
      return Object.fromEntries(
        members.map(([name, member]) => [
          name,
          isRecord(member) && depth <= MAX_DEPTH ? exampleOf(member, depth + 1) : null,
        ]),
      )
    }
    if (type === 'array')
      return isRecord(schema.items) && depth <= MAX_DEPTH ? [exampleOf(schema.items, depth + 1)] : []
    if (type === 'integer' || type === 'number')
      return isNumber(schema.minimum) && schema.minimum > 1 ? schema.minimum : 1
    if (type === 'boolean') return true
    return schema.format === 'email' ? 'ada@example.com' : schema.format === 'uri' ? 'https://example.com/' : 'text'
  }

  return {
    typeText,
    /** The fields of a schema in the order of the document. */
    rowsOf(schema: unknown): readonly SchemaRow[] {
      if (!isRecord(schema)) return []
      const rows = new Map<string, SchemaRow>()
      fieldsOf(schema, '', 0, rows)
      return [...rows.values()].slice(0, MAX_ROWS)
    },
    exampleOf,
  }
}
