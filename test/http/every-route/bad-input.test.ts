import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonSchema, type Operation, openEveryRoute } from '../../support/every-route.ts'

/** Whether every route gets every value, as `npm run test:all` has it. */
const IS_THOROUGH = Number(process.env.RANDOM_THOUSANDS) >= 1

let routes: Awaited<ReturnType<typeof openEveryRoute>>
beforeAll(async () => {
  routes = await openEveryRoute()
})
afterAll(() => routes.close())

/** Routes with JSON bodies. Invalid forms are tested with the files. */
const withBody = () => routes.operations.filter(([, , { requestBody }]) => requestBody?.content['application/json'])

/** Anyone may follow anyone. The permission is about the acting profile. */
const isForOthers = (path: string) => path.startsWith('/connections/')

/** The protocol returns 204 whether the caller had the subscription or not; it stays when it belongs to others. */
const isEndOfSubscription = (method: string, path: string) => method === 'DELETE' && path.startsWith('/eep/subscri')

/** Queries without which some routes return 400. */
const REQUIRED_QUERIES: Readonly<Record<string, string>> = { '/workspaces/{id}/search': '?q=notes' }

/** Routes that ignore what they do not know, as the interface requires. */
const LENIENT = new Set(['PUT /manage/profile', 'POST /oauth/register'])

/** How many bytes an answer to an invalid body may have. */
const LONGEST_ANSWER = 16_384

/** The ways in which any body may be wrong. */
function wrongInGeneral(good: Record<string, unknown>, strict: boolean): readonly [string, unknown][] {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`no_such_member_${at}`, 1]))
  const replaced = (by: string) => JSON.stringify({ ...good, x: 0 }).replace('"x":0', by)
  // An answer that repeated the names of these would be longer than an answer may be.
  const unknown: [string, unknown][] = [
    ['an unknown member with a long name', { ...good, ['n'.repeat(LONGEST_ANSWER)]: 1 }],
    ['a thousand unknown members', { ...good, ...many }],
  ]
  return [
    ['no JSON', '{"a":'],
    ['null', 'null'],
    ['a list', []],
    ['a text', '"text"'],
    ['a member named by a NUL', replaced('"\\u0000":0')],
    ['half of a surrogate pair', replaced('"x":"\\ud800"')],
    ['a prototype', replaced('"__proto__":{"isAdmin":true}')],
    ...(strict ? unknown : []),
  ]
}

/** Wrong bodies of a route, with three of the general ways at each turn: all of them where unknown members are accepted. */
function* wrongBodies(
  schema: JsonSchema,
  good: Record<string, unknown>,
  strict: boolean,
  turn: number,
): Generator<[string, unknown]> {
  const general = wrongInGeneral(good, strict)
  const some = [0, 1, 2].map((at) => general[(3 * turn + at) % general.length] as [string, unknown])
  yield* strict ? some : general
  if (strict) yield ['an unknown member', { ...good, no_such_member: 1 }]
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = good
    yield [`${name} missing`, rest]
  }
  for (const [name, declared] of Object.entries(schema.properties ?? {})) {
    const property = declared.type ? declared : (declared.anyOf?.find(({ type }) => type !== 'null') ?? declared)
    const wrongTypes =
      property.type === 'object' ? ['text'] : property.type === 'string' ? [{ not: ['this'] }, 42] : [{ not: ['this'] }]
    // One validator checks the types of all routes.
    const sent = IS_THOROUGH ? wrongTypes : [wrongTypes[turn % wrongTypes.length]]
    for (const wrong of sent) yield [`${name} as ${JSON.stringify(wrong)}`, { ...good, [name]: wrong }]
    if (property.type === 'string') {
      yield [
        `${name} too long`,
        { ...good, [name]: 'x'.repeat(Math.min(property.maxLength ?? 1_100_000, 1_100_000) + 1) },
      ]
      yield [`${name} with a NUL`, { ...good, [name]: 'a\u0000b' }]
    }
    if (property.type === 'integer') {
      for (const value of [1.5, -1, 1e300, '1']) yield [`${name} ${value}`, { ...good, [name]: value }]
    }
    if (property.type === 'array') yield [`${name} endless`, { ...good, [name]: Array(20_000).fill('x') }]
  }
}

describe('every route', { timeout: 300_000 }, () => {
  it('has a valid body in this test for every route with a body', () => {
    const missing = withBody().filter(([method, path]) => !routes.goodBody(`${method} ${path}`))
    expect(missing.map(([method, path]) => `${method} ${path}`)).toEqual([])
  })

  it('returns a 4xx with a code and a message for an invalid body', async () => {
    const wrong: string[] = []
    for (const [turn, [method, path, operation]] of withBody().entries()) {
      const schema = operation.requestBody?.content['application/json']?.schema ?? {}
      const good = routes.goodBody(`${method} ${path}`) as Record<string, unknown>
      for (const [what, body] of wrongBodies(schema, good, !LENIENT.has(`${method} ${path}`), turn)) {
        const response = await routes.send(method, routes.goodPath(path), body, routes.callersOf(operation))
        // Paths of the protocol alone say the same as a problem document, whatever was asked for.
        // Those of OAuth have its own body.
        const {
          error,
          code = error?.code,
          error_description,
          detail = error?.message ?? error_description,
        } = response.json()
        const clear = response.statusCode >= 400 && response.statusCode < 500 && code && detail
        // The answer does not repeat the input.
        if (clear && response.body.length > LONGEST_ANSWER)
          wrong.push(`${method} ${path}, ${what}: ${response.body.length} bytes`)
        if (!clear) wrong.push(`${method} ${path}, ${what}: ${response.statusCode} ${response.body.slice(0, 120)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('rejects other users on every route that changes records of an owner', async () => {
    const open: string[] = []
    for (const [method, path, { security }] of routes.operations) {
      const own = path.includes('{id}') || path.includes('{did}') || path.includes('{username}')
      if (security.length === 0 || !own || method === 'GET' || isForOthers(path)) continue
      const { statusCode } = await routes.send(
        method,
        routes.goodPath(path),
        routes.goodBody(`${method} ${path}`),
        routes.otherUser,
      )
      if (isEndOfSubscription(method, path)) expect(statusCode).toBe(204)
      else if (statusCode !== 403 && statusCode !== 404) open.push(`${method} ${path}: ${statusCode}`)
    }
    expect(open).toEqual([])
  })

  it('returns a 4xx for invalid parameters: every value once for each kind of parameter, and some for each repetition', async () => {
    const wrong: string[] = []
    const seen = new Map<string, number>()
    // A NUL is in the test of NULs.
    const values = [
      '-1',
      '0',
      '1.5',
      '99999999999999999999',
      'abc',
      '%F0%9F%92%A9',
      "'; drop table accounts; --",
      '..%2f..%2fetc',
      'x'.repeat(3_000),
      '__proto__',
      '%ff',
    ]
    const isText = ({ schema }: Operation['parameters'][number]) => schema.type === 'string' && !schema.enum
    const valuesFor = (parameters: Operation['parameters']) => {
      const kind = JSON.stringify(parameters.map(({ name, in: place, schema }) => [name, place, schema]))
      const turn = seen.get(kind) ?? 0
      seen.set(kind, turn + 1)
      if (turn === 0 || IS_THOROUGH) return values
      // Each route reads its texts by itself, for example its cursors.
      const count = parameters.some(isText) ? 5 : 3
      return Array.from({ length: count }, (_, at) => String(values[(count * turn + at) % values.length]))
    }
    for (const [method, path, { parameters, requestBody }] of routes.operations) {
      const body = requestBody ? routes.goodBody(`${method} ${path}`) : undefined
      const inPath = parameters.filter((one) => one.in === 'path')
      const urls = valuesFor(inPath).map((value) =>
        path.replaceAll(/\{\w+\}/g, encodeURI(value).replaceAll('%25', '%')),
      )
      for (const parameter of parameters.filter((one) => one.in === 'query')) {
        for (const value of valuesFor([parameter])) {
          const query = `${parameter.name}=${value.replaceAll(' ', '%20').replaceAll("'", '%27')}`
          urls.push(`${routes.goodPath(path)}?${query}`)
        }
      }
      for (const url of urls) {
        if (url === path) continue
        // Deleting what exists is not what this test is about.
        if (method === 'DELETE' && url.startsWith(routes.goodPath(path))) continue
        const { statusCode, body: text } = await routes.send(
          method,
          url,
          body,
          method === 'POST' ? routes.otherUser : routes.shop.headers,
        )
        if (statusCode >= 500) wrong.push(`${method} ${url.slice(0, 100)}: ${statusCode} ${text.slice(0, 100)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('rejects a NUL anywhere in a path or a query', async () => {
    const wrong: string[] = []
    for (const [method, path, { parameters, requestBody }] of routes.operations) {
      const body = requestBody ? routes.goodBody(`${method} ${path}`) : undefined
      const inQuery = parameters
        .filter((one) => one.in === 'query')
        .map(({ name }) => `${routes.goodPath(path)}?${name}=a%00b`)
      const inPath = path.includes('{') ? [path.replaceAll(/\{\w+\}/g, 'a%00b')] : []
      for (const url of [...inQuery, ...inPath]) {
        const { statusCode, body: text } = await routes.send(method, url, body)
        // A browser that comes back from a provider is led on, whatever it brings.
        if (path.startsWith('/auth/oauth/') && statusCode === 302) continue
        if (statusCode !== 400 && statusCode !== 403)
          wrong.push(`${method} ${url}: ${statusCode} ${text.slice(0, 100)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('returns 404 for unknown ids', async () => {
    const wrong: string[] = []
    for (const [method, path, operation] of routes.operations) {
      if (!path.includes('{id}') || operation.security.length === 0) continue
      const { statusCode } = await routes.send(
        method,
        routes.goodPath(path.replace('{id}', '999999999')) + (REQUIRED_QUERIES[path] ?? ''),
        routes.goodBody(`${method} ${path}`),
        routes.callersOf(operation),
      )
      if (isEndOfSubscription(method, path)) expect(statusCode).toBe(204)
      else if (statusCode !== 404) wrong.push(`${method} ${path}: ${statusCode}`)
    }
    expect(wrong).toEqual([])
  })
})
