import type { Chance } from './random.ts'

/** The part of a JSON schema that the generator reads. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Values that the service knows, by the name of the member or parameter that takes them. */
export type KnownValues = Map<string, unknown[]>

/** Adds the ids, names and tokens of a JSON answer to the known values, a few of each name. */
export function remember(known: KnownValues, body: unknown, depth = 0): void {
  if (typeof body !== 'object' || body === null || depth > 6) return
  for (const [name, value] of Object.entries(body).slice(0, 50)) {
    if (typeof value === 'object') remember(known, value, depth + 1)
    else if (/(^|_)(id|token|code|cursor|did|username|slug|key|resource|tier|wallet)$/.test(name)) {
      const values = known.get(name) ?? []
      known.set(name, [value, ...values.filter((other) => other !== value)].slice(0, 8))
    }
  }
}

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfffx',
  '\u202Egnp.exe',
  '\u{1F469}\u200D\u{1F4BB}'.repeat(9),
  'Z\u0351\u036B\u0343',
  'ａｄａ',
  '\ufeff',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  "'; drop table accounts; --",
  '../../etc/passwd',
  '%',
  '%00',
  '%ff',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\r\nx-injected: 1',
  '1e999',
  'NaN',
  'null',
  '-1',
  '0x10',
  '99999999999999999999',
  'did:web:',
  'did:web:%',
  'did:web:profiles.example:u:%00',
  'did:web:127.0.0.1%3A1',
  'did:key:z6Mk',
  'did:pkh:eip155:1:0x00',
  'http://127.0.0.1:1/',
  'http://[::1',
  'javascript:alert(1)',
  'https://example.com/\ud800',
  'eyJhbGciOiJub25lIn0.e30.',
  'content.*',
  'content.**',
  '*',
  '2020-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '9999999-01-01',
  '😀@example.com',
  'a@b',
] as const

const ODD_NUMBERS = [0, -0, -1, 1.5, 1e-9, 2 ** 31, 2 ** 53, 1e21, 1e300, -1e300, Number.MAX_SAFE_INTEGER, 65_536]

/** Creates values that few services expect: odd texts, numbers, lists, objects and deep nesting. */
export function createOddValues(chance: Chance) {
  const text = (): string =>
    chance.happens(0.05) ? 'x'.repeat(chance.pick([33, 256, 257, 4_097, 70_000])) : chance.pick(ODD_TEXTS)
  const deep = (): unknown => {
    const depth = chance.pick([10, 100, 3_000])
    const wrap = chance.pick<(inner: unknown) => unknown>([(inner) => [inner], (inner) => ({ and: inner })])
    let value: unknown = 1
    for (let level = 0; level < depth; level++) value = wrap(value)
    return value
  }
  const odd = (): unknown =>
    chance.pick<() => unknown>([
      text,
      text,
      () => chance.pick(ODD_NUMBERS),
      () => null,
      () => true,
      () => [],
      () => ({}),
      () => [text(), null, {}],
      () => ({ [text()]: text() }),
      () => Array(chance.pick([101, 1_001])).fill('x'),
      deep,
    ])()

  return { text, odd }
}

/**
 * Creates values for a JSON schema that fit it, unless `isOdd` returns true.
 *
 * @param known - preferred for members and parameters of their names
 * @param isOdd - whether something that happens in such a share of cases happens now
 */
export function createRandomValues(chance: Chance, known: KnownValues, isOdd: (share: number) => boolean) {
  const { text, odd } = createOddValues(chance)

  const knownValue = (name: string): unknown => {
    const values = known.get(name) ?? known.get(name.replace(/^.*_/, '')) ?? known.get(name.toLowerCase())
    return values?.length ? chance.pick(values) : undefined
  }

  const FORMATS: Readonly<Record<string, () => unknown>> = {
    email: () => `guest-${chance.below(1_000)}@example.com`,
    uri: () => `https://example.com/${chance.below(100)}`,
    'date-time': () => new Date(Date.UTC(2020 + chance.below(20), 0, 1)).toISOString(),
    uuid: () => '00000000-0000-4000-8000-000000000000',
  }

  function string({ format, minLength = 0, maxLength = 100 }: Schema): unknown {
    const made = format && FORMATS[format]
    if (made) return made()
    const length = chance.pick([minLength, Math.min(maxLength, minLength + 8), Math.min(maxLength, 12), maxLength])
    return 'abcdefgh'.repeat(Math.ceil(Math.min(length, 300_000) / 8)).slice(0, Math.min(length, 300_000))
  }

  function object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): unknown {
    const made: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(properties)) {
      if (required.includes(name) ? isOdd(0.03) : chance.happens(0.6)) continue
      made[name] = schemaValue(member, name, depth + 1)
    }
    if (typeof additionalProperties === 'object' && depth < 6) {
      for (let count = chance.below(3); count > 0; count--) {
        made[chance.pick(['public', 'reader', 'a', 'b', ...ODD_TEXTS.slice(0, 12)])] = schemaValue(
          additionalProperties,
          '',
          depth + 1,
        )
      }
    }
    if (isOdd(0.03)) made[text()] = odd()
    return made
  }

  /** A value that mostly fits the schema. */
  function schemaValue(schema: Schema, name: string, depth = 0): unknown {
    if (isOdd(0.08)) return odd()
    if (chance.happens(0.7)) {
      const value = knownValue(name)
      if (value !== undefined) return value
    }
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return chance.pick(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return schemaValue(chance.pick(choices), name, depth + 1)
    if (schema.allOf) {
      const parts = schema.allOf.map((part) => schemaValue(part, name, depth + 1))
      return parts.every((part) => typeof part === 'object') ? Object.assign({}, ...parts) : parts[0]
    }
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
    const { minimum = 0, maximum = 100, minItems = 0, maxItems = 3 } = schema
    switch (type) {
      case 'string':
        return string(schema)
      case 'integer':
        return chance.pick([minimum, maximum, minimum - 1, maximum + 1, minimum + 1, Math.min(maximum, 7)])
      case 'number':
        return chance.pick([minimum, Math.min(maximum, 9.99), Math.min(maximum, 0.000001), maximum])
      case 'boolean':
        return chance.happens(0.5)
      case 'null':
        return null
      case 'array': {
        const length = chance.pick([minItems, Math.min(maxItems, minItems + 1), Math.min(maxItems, 3)])
        return Array.from({ length }, () => schemaValue(schema.items ?? {}, name, depth + 1))
      }
      default:
        return schema.properties || schema.additionalProperties ? object(schema, depth) : odd()
    }
  }

  return { text, odd, knownValue, schemaValue }
}
