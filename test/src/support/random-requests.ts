import type { Chance } from './random.ts'

/** The part of a JSON schema that the generator reads. */
interface Schema {
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

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

/** A route of an OpenAPI document. */
export interface DescribedRoute {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** A request for `app.inject`. */
export interface RandomRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: Buffer
}

/** Values that the service knows, by the name of the member or parameter that takes them. */
export type KnownValues = Map<string, unknown[]>

/** Headers that authenticate a request, for example a session or an API key. */
export type Credentials = Readonly<Record<string, string>>

/** Lists the routes of an OpenAPI document. */
export const routesOf = (paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): DescribedRoute[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

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

const ODD_SEGMENTS = [
  '%00',
  'a%00b',
  '%ff',
  '%',
  '%2',
  '%zz',
  '%c0%af',
  '%ed%a0%80',
  '%F0%9F%92%A9',
  '..%2f..%2fetc',
  '%2e%2e',
  '-1',
  '0',
  '1.5',
  '1e1',
  '0x21',
  '99999999999999999999',
  '2147483648',
  '__proto__',
  'constructor',
  'toString',
  '~',
  'a.json',
  'a.md.json',
  '.',
  '*',
  '%20',
  'a;b=c',
  "'%3B--",
  'did:web:profiles.example:u:ada',
  'did:web:profiles.example%253A3000:u:ada',
] as const

const ACCEPTS = [
  'application/json',
  'application/json; charset=utf-8; q=0.5',
  'text/html',
  'text/html,application/xhtml+xml,*/*;q=0.8',
  'text/markdown',
  'text/plain',
  'text/toon',
  'application/problem+json',
  'application/pdf',
  'application/ld+json',
  'text/csv',
  'image/png',
  '*/*;q=0',
  ';;;,,,',
  'a/b;q=x',
  '/',
  '',
] as const

const RANGES = [
  'bytes=0-',
  'bytes=-1',
  'bytes=0-0',
  'bytes=5-2',
  'bytes=99999999999999999999-',
  'bytes=0-1,2-3',
  'x',
  'bytes=',
]
const TAGS = ['*', '"x"', 'W/"x"', '"', '', 'x', '"a","b"', `"${'x'.repeat(4_000)}"`, '"\u00ff"', ',,,'] as const
const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=no-such',
  'APPLICATION/JSON',
  'application/json;;;',
  'application/vnd.api+json',
  'application/merge-patch+json',
  'text/plain',
  'text/markdown',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'x'.repeat(200)}`,
  'x',
  '',
  '/',
] as const

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

/** Creates a generator of requests that are right, nearly right and wrong. The same chance makes the same requests. */
export function createRandomRequests(
  chance: Chance,
  routes: readonly DescribedRoute[],
  known: KnownValues,
  credentials: readonly Credentials[],
) {
  // How odd the present request is: what is wrong in many ways is refused for the first of them.
  let oddness = 1
  const isOdd = (share: number) => chance.happens(share * oddness)

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

  const segment = (name: string): string => {
    if (isOdd(0.3)) return chance.pick(ODD_SEGMENTS)
    if (isOdd(0.02)) return 'x'.repeat(chance.pick([100, 257, 3_000]))
    return encode(String(knownValue(name) ?? name))
  }
  // Text with half of a surrogate pair cannot be encoded; a client would send some bytes.
  const encode = (value: string) => encodeURIComponent(value.toWellFormed())

  function query({ parameters }: Operation): string {
    const pairs: string[] = []
    for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
      if (chance.happens(0.5)) continue
      const value = isOdd(0.15) ? chance.pick(ODD_SEGMENTS) : encode(String(asText(schemaValue(schema, name))))
      pairs.push(`${name}=${value}`)
      // The same parameter twice makes a list of it.
      if (chance.happens(0.05)) pairs.push(`${name}=${value}`)
    }
    if (chance.happens(0.15)) pairs.push(`format=${chance.pick(['json', 'md', 'html', 'toon', 'text', 'x', '%00'])}`)
    if (chance.happens(0.05)) pairs.push(chance.pick(['=', '&&&', 'a[b]=1', '__proto__=1', 'x%00=1', '%', '?']))
    return pairs.length > 0 ? `?${pairs.join('&')}` : ''
  }
  const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value).slice(0, 2_000) : value)

  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  // A header is bytes without line ends; Node refuses others before a service sees them.
  const headerText = (): string => text().replaceAll(/[^\u0020-\u007e\u0080-\u00ff]/g, '?')

  function headers(): Record<string, string> {
    const made: Record<string, string> = { ...chance.pick([{}, ...credentials, ...credentials]) }
    const sometimes = (share: number, name: string, value: () => unknown) => {
      if (isOdd(share)) made[name] = String(value())
    }
    sometimes(0.7, 'accept', () => chance.pick(ACCEPTS))
    sometimes(0.08, 'range', () => chance.pick(RANGES))
    sometimes(0.04, 'if-range', () => chance.pick(TAGS))
    sometimes(0.08, 'if-match', () => chance.pick(TAGS))
    sometimes(0.08, 'if-none-match', () => chance.pick(TAGS))
    sometimes(0.04, 'if-modified-since', () => chance.pick(['Thu, 01 Jan 1970 00:00:00 GMT', 'x', '', '-1']))
    sometimes(0.08, 'idempotency-key', () => chance.pick(['a', 'b', '', headerText(), 'x'.repeat(300)]))
    sometimes(0.1, 'x-active-profile-id', () => chance.pick([knownValue('profile_id'), '0', '-1', headerText()]))
    sometimes(0.05, 'x-api-key', () => chance.pick(['eep_nothing', '', headerText()]))
    sometimes(0.12, 'authorization', () =>
      chance.pick([
        'Bearer',
        'Bearer x.y.z',
        'Bearer eyJhbGciOiJub25lIn0.e30.',
        'Basic YTpi',
        'Basic %%%',
        'Payment',
        `Payment ${base64({ challenge: {}, payload: null })}`,
        'Payment id="x", method="cash"',
        'Digest x',
        'EEP e30=',
        '',
        headerText(),
      ]),
    )
    sometimes(0.12, 'cookie', () =>
      chance.pick([
        `eep_payer=${encode(text())}; eep_payer_sig=x`,
        'eep_payer=wallet%3Anobody; eep_payer_sig=%00',
        'eep_payer=%ff',
        'eep_session=x.y.z',
        'eep_session=; eep_session=a',
        'oauth_state=x; oauth_next=//evil.example',
        '__proto__=1; =; ;;',
        headerText(),
      ]),
    )
    sometimes(0.08, 'x-eep-payer-wallet', headerText)
    sometimes(0.04, 'x-eep-payer-network', () => chance.pick(['cash:test', 'eip155:1', headerText()]))
    sometimes(0.08, chance.pick(['payment-signature', 'x-payment']), () =>
      chance.pick([
        base64(odd()).slice(0, 8_000),
        base64({ x402Version: 2, accepted: odd(), payload: {} }).slice(0, 8_000),
        base64({ x402Version: 2, resource: {}, accepted: { scheme: 'cash', network: 'cash:test' }, payload: {} }),
        headerText(),
      ]),
    )
    sometimes(0.04, 'x-eep-agent-did', () => chance.pick(['did:web:nowhere.invalid', 'did:key:z6Mk', headerText()]))
    sometimes(0.04, 'eep-version', () => chance.pick(['0.1', '9.9', headerText()]))
    sometimes(0.04, 'origin', () => chance.pick(['null', 'https://example.com', headerText()]))
    sometimes(0.03, 'accept-encoding', () => chance.pick(['gzip', 'br;q=0', 'identity;q=0', '*;q=0', headerText()]))
    sometimes(0.03, 'content-encoding', () => chance.pick(['gzip', 'x']))
    sometimes(0.03, 'x-forwarded-for', () => chance.pick(['::1', '%', headerText()]))
    sometimes(0.02, 'expect', () => 'something')
    return made
  }

  function form(): Buffer {
    const parts = Array.from({ length: chance.below(4) }, () => {
      const name = chance.pick(['file', 'username', 'profile_id', 'gated', '__proto__', text()])
      const filename = chance.happens(0.6) ? `; filename="${text()}"` : ''
      const value = String(knownValue(name) ?? text())
      return `--x\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
    })
    return Buffer.from(parts.join('') + chance.pick(['--x--\r\n', '--x--', '', '--x']))
  }

  function json(schema: Schema): Buffer {
    const good = isOdd(0.1) ? odd() : schemaValue(schema, '')
    const written = JSON.stringify(good) ?? ''
    if (!isOdd(0.2)) return Buffer.from(written)
    if (chance.happens(0.15)) return Buffer.from(written.slice(0, -1))
    if (chance.happens(0.15)) return Buffer.from(written.replace('{', '{"__proto__":{"isAdmin":true},'))
    if (chance.happens(0.15)) return Buffer.from('['.repeat(chance.pick([50, 5_000, 200_000])))
    if (chance.happens(0.15)) {
      const depth = chance.pick([1_000, 20_000, 100_000])
      return Buffer.from(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    }
    if (chance.happens(0.15)) return Buffer.concat([Buffer.from(written), Buffer.from([0xff, 0xfe, 0x00])])
    if (chance.happens(0.15)) return Buffer.from(written.replace(/\d+/, '1e400'))
    if (chance.happens(0.15)) return Buffer.from(`\ufeff${written}`)
    if (chance.happens(0.15)) return Buffer.alloc(0)
    return Buffer.from(written)
  }

  return function next(): RandomRequest {
    oddness = chance.pick([0, 0.3, 0.3, 1])
    const { method: described, path, operation } = chance.pick(routes)
    const method = isOdd(0.05)
      ? chance.pick(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])
      : described === 'GET' && chance.happens(0.1)
        ? 'HEAD'
        : described
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name))
    const suffix = isOdd(0.08) ? chance.pick(['.json', '.md', '.html', '.toon', '.x', '/', '//', '%00']) : ''
    const url = `${filled}${suffix}${query(operation)}`
    const made = headers()
    const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
    if (!content && !chance.happens(0.1)) return { method, url, headers: made }
    const isForm = type?.startsWith('multipart/')
    made['content-type'] = isOdd(0.08)
      ? chance.pick(CONTENT_TYPES)
      : isForm
        ? 'multipart/form-data; boundary=x'
        : 'application/json'
    return { method, url, headers: made, payload: isForm ? form() : json(content?.schema ?? {}) }
  }
}

/** The request on one line, short enough to read. */
export const describeRequest = ({ method, url, headers, payload }: RandomRequest): string =>
  [method, url.slice(0, 300), JSON.stringify(headers).slice(0, 900), payload?.toString('latin1').slice(0, 600) ?? '']
    .join(' ')
    .trim()
