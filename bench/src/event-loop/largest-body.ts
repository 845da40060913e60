import { randomUUID } from 'node:crypto'
import { awkward } from './largest.ts'

/** The part of a JSON schema that the generator reads. */
export interface BodySchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly BodySchema[]
  readonly oneOf?: readonly BodySchema[]
  readonly allOf?: readonly BodySchema[]
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly propertyNames?: BodySchema
  readonly additionalProperties?: boolean | BodySchema
  readonly items?: BodySchema
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maximum?: number
}

/** The named schemas that a `$ref` may point to. */
export type Components = Readonly<Record<string, BodySchema>>

/** Length of a text, and number of members, that a schema does not limit. */
const UNLIMITED_LENGTH = 128
const UNLIMITED_MEMBERS = 50
/** Schemas that contain themselves are filled this deep. */
const MAX_DEPTH = 6

const filled = (start: string, length: number, filler: string, end = ''): string => {
  const room = Math.max(0, length - start.length - end.length)
  return `${start}${filler.repeat(Math.ceil(room / filler.length)).slice(0, room)}${end}`
}

/** Texts of at most a length that match one or another of the patterns that the service has. */
const CANDIDATES: readonly ((length: number) => string)[] = [
  awkward,
  (length) => filled('https://profiles.example/', length, 'a'),
  (length) => filled('did:web:', length, 'a'),
  (length) => filled('', length, 'a'),
  (length) => filled('', length, 'a-', 'a'),
  (length) => filled('', length, 'a.', 'a'),
  (length) => filled('content.', length, 'a.', 'a.*'),
  (length) => filled('svc_', Math.min(length, 68), 'a'),
  (length) => filled('x-', length, 'a'),
  (length) => filled('0x', length - (length % 2), '0'),
  (length) => filled('sha256:', Math.min(length, 71), 'a'),
  () => `0x${'0'.repeat(64)}`,
  () => `0x${'0'.repeat(2_048)}`,
  () => '00000000-0000-4000-8000-000000000000',
  () => '2026-01-01T00:00:00.000Z',
  () => '2026-01-01',
  () => '10:00',
  () => 'usd',
  () => 'USD',
  (length) => filled('dpv:A', length, 'a'),
  () => 'usdc',
  () => '999999999999.999999',
  () => '9'.repeat(12),
  () => 'a'.repeat(32),
]

/** The longest email address: a local part of many atoms, and a domain of many labels. */
const longestEmail = (length: number) => {
  const local = filled('a', 63, '.a')
  return `${local}@${'ab.'.repeat(Math.floor((length - local.length - 8) / 3))}example`
}

function largestText({ format, pattern, maxLength = UNLIMITED_LENGTH }: BodySchema): string {
  if (format === 'email') return longestEmail(maxLength)
  if (format === 'date-time') return '2026-05-06T07:08:09.123Z'
  if (format === 'uuid') return randomUUID()
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const fitting = CANDIDATES.map((candidate) => candidate(maxLength))
    .filter((text) => text.length <= maxLength && (expression?.test(text) ?? true))
    .sort((left, right) => right.length - left.length)
  return fitting[0] ?? ''
}

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0
const largestOf = (values: readonly unknown[]): unknown =>
  values.reduce((largest, value) => (sizeOf(value) > sizeOf(largest) ? value : largest), values[0])

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A value with as much of everything as a schema allows: all members, the longest texts, the longest lists, and of
 * alternatives the one that takes the most room. Texts and names in lists and records differ, because many must be unique.
 */
export function largestValue(schema: BodySchema, components: Components, depth = 0): unknown {
  const inner = (each: BodySchema) => largestValue(each, components, depth + 1)
  if (schema.$ref !== undefined) {
    const named = components[schema.$ref.split('/').at(-1) ?? '']
    return named && depth < MAX_DEPTH ? inner(named) : undefined
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return largestOf(schema.enum)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return largestOf(alternatives.map(inner))
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner).filter(isPlain))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'string') return largestText(schema)
  if (type === 'integer' || type === 'number') return Math.min(schema.maximum ?? 1_000, Number.MAX_SAFE_INTEGER)
  if (type === 'boolean') return true
  if (type === 'array') return largestList(schema, inner)
  if (type === 'object') return largestObject(schema, inner)
  return type === 'null' ? null : awkward(UNLIMITED_LENGTH)
}

const numbered = (text: string, at: number) => `${text.slice(0, Math.max(0, text.length - 5))}${10_000 + at}`

function largestList({ items = {}, maxItems = UNLIMITED_MEMBERS }: BodySchema, inner: (each: BodySchema) => unknown) {
  const values = items.enum
  if (values) return values.slice(0, maxItems)
  const item = inner(items)
  if (item === undefined) return []
  const canDiffer = typeof item === 'string' && items.pattern === undefined
  return Array.from({ length: maxItems }, (_, at) => (canDiffer ? numbered(item, at) : item))
}

function largestObject(schema: BodySchema, inner: (each: BodySchema) => unknown): Record<string, unknown> {
  const { properties = {}, propertyNames, additionalProperties } = schema
  const members: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = inner(property)
    if (value !== undefined) members[name] = value
  }
  if (typeof additionalProperties === 'object' && propertyNames) {
    const name = largestText({ ...propertyNames, maxLength: Math.min(propertyNames.maxLength ?? 32, 32) })
    const value = inner(additionalProperties)
    for (let at = 0; at < UNLIMITED_MEMBERS; at++) members[numbered(name, at)] = value
  }
  return members
}
