import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEveryRoute } from '../support/every-route.ts'
import { createChance } from '../support/random.ts'
import { createOddValues } from '../support/random-values.ts'
import { SEED } from '../support/seed.ts'

/** `npm run test:all` sends 4,000. */
const REQUESTS = 1_000 * Number(process.env.RANDOM_THOUSANDS ?? 0.25)

let routes: Awaited<ReturnType<typeof openEveryRoute>>
beforeAll(async () => {
  routes = await openEveryRoute()
})
afterAll(() => routes.close())

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value).slice(0, 2_000) : value)

/** The path of every member and item of a value, the nested ones included. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))
  return path.length > 0 ? [path, ...inside] : inside.length > 0 ? inside : [path]
}

/** What a text may end with that breaks what is written for plain words. */
const TAILS = [
  '\u0000',
  '\ud800',
  '\u202e',
  '\u0301'.repeat(50),
  '\u{1F469}\u200D'.repeat(9),
  '%00',
  "'--",
  '\r\n',
  '\ufeff',
  '/..',
]

/** A copy of a value that is changed at one place. */
function withOddValue(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (name === undefined) return change(value)
  const copy: unknown = structuredClone(value)
  const member = (copy as Record<string, unknown>)[name]
  Object.assign(copy as object, { [name]: withOddValue(member, rest, change) })
  return copy
}

it(`every route answers valid requests with one random value without a 5xx: ${REQUESTS}, RANDOM_SEED=${SEED}`, async () => {
  const chance = createChance(SEED)
  const { odd } = createOddValues(chance)
  // Requests that would end the session or remove what the others name.
  const isFinal = (method: string, path: string) => method === 'DELETE' || path === '/auth/logout'
  const candidates = routes.operations.filter(([method, path]) => !isFinal(method, path))
  const withBodies = candidates.filter(([, , { requestBody }]) => requestBody?.content['application/json'])
  const wrong: string[] = []
  for (let number = 1; number <= REQUESTS; number++) {
    const [method, path, operation] = chance.pick(chance.happens(0.7) ? withBodies : candidates)
    const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
    const good = operation.requestBody && routes.goodBody(`${method} ${path}`)
    let url = routes.goodPath(path)
    let body: unknown = good
    if (good && chance.happens(0.8)) {
      body = withOddValue(good, chance.pick(placesIn(good)), (value) =>
        typeof value === 'string' && chance.happens(0.6) ? value + chance.pick(TAILS) : odd(),
      )
    } else if (queries.length > 0 && chance.happens(0.7)) {
      url += `?${chance.pick(queries).name}=${encodeURIComponent(String(asText(odd())).toWellFormed())}`
    } else {
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([whole]) => whole)
      const value = encodeURIComponent(String(asText(odd())).toWellFormed())
      if (parameters.length > 0) url = routes.goodPath(path.replace(chance.pick(parameters), value))
    }
    const response = await routes.send(method, url, body, routes.callersOf(operation))
    if (response.statusCode < 500 || response.statusCode === 503) continue
    const sent = JSON.stringify(body)?.slice(0, 300) ?? ''
    wrong.push(`request ${number}: ${method} ${url.slice(0, 200)} ${sent}: ${response.body.slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
})
