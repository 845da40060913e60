import type { Chance } from './random.ts'
import { createRandomValues, type KnownValues, type Schema } from './random-values.ts'

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

/** Headers that authenticate a request, for example a session or an API key. */
export type Credentials = Readonly<Record<string, string>>

/** Lists the routes of an OpenAPI document. */
export const routesOf = (paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): DescribedRoute[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

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

  const { text, odd, knownValue, schemaValue } = createRandomValues(chance, known, isOdd)

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
