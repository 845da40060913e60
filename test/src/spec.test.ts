import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeys } from './support/spec/api-keys.ts'
import { auth } from './support/spec/auth.ts'
import { content } from './support/spec/content.ts'
import { discovery } from './support/spec/discovery.ts'
import { files } from './support/spec/files.ts'
import { fixture, newUser, openFixture, send, UNKNOWN_ID } from './support/spec/fixture.ts'
import { profiles } from './support/spec/profiles.ts'
import { publicReads } from './support/spec/public-reads.ts'
import { type Answer, type Auth, type Headers, text } from './support/spec/row.ts'
import { subscriptions } from './support/spec/subscriptions.ts'

/*
 * The tables of the interface, tested from outside: the callers of each row, and a request for each of its statuses. 401 for
 * anonymous callers and 403 for keys are tested for every row that has them.
 */

const TABLES = {
  discovery,
  auth,
  'API keys': apiKeys,
  profiles,
  'public reads': publicReads,
  'content management': content,
  files,
  'subscriptions and pricing': subscriptions,
}

/** Rows of the interface whose routes are not there yet. One that is has its place in the tables above. */
const NOT_YET = [
  ...['GET /search', 'GET /feed', 'GET /feed/following', 'GET /feed/{prefix}/{slug}', 'GET /feed/hashtags/{tag}'],
  ...['GET /stream/signals', 'GET /stream/signals/following', 'GET /notifications'],
]

/** Rows with separate tests. Only their description is checked here. */
const ELSEWHERE: readonly (readonly [string, Auth])[] = [
  ['GET /eep/gates/{did}', 'none'],
  ['GET /eep/services/{did}', 'none'],
  ['GET /jobs', 'key'],
  ['GET /jobs/{id}', 'key'],
  ['GET /eep/commerce/negotiations', 'key'],
  ['POST /eep/commerce/negotiations', 'key'],
  ['POST /eep/payment/x402/payment-required', 'none'],
  ['POST /eep/payment/x402/settle', 'none'],
  ['GET /eep/payment/receipts', 'key'],
  ['GET /eep/payment/receipts/{receiptId}', 'key'],
  ['GET /eep/payment/receipts/{receiptId}.pdf', 'key'],
]

let close: () => Promise<void>
beforeAll(async () => {
  close = await openFixture()
})
afterAll(() => close())

/** Parameters have other names here and there. */
const nameless = (route: string) => route.replaceAll(/\{\w+\}/g, '{}')

/** A request of a route about nothing: who asks is looked at first. */
const probe = (route: string, as: Headers) => {
  const [method = '', path = ''] = route.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'prefix' ? 'u' : UNKNOWN_ID))
  return send(method as HTTPMethods, url, as, method === 'GET' ? undefined : {})
}

function expectStatus(answer: Answer, status: number) {
  expect(answer.statusCode, answer.body).toBe(status)
  expect(Number(answer.headers['x-ratelimit-limit'])).toBeGreaterThan(0)
  expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
  expect(answer.headers).toHaveProperty('x-ratelimit-reset')
  if (status < 400) return
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  const { code, message, ...rest } = answer.json().error
  expect({ code, message }).toEqual({ code: expect.stringMatching(/^[a-z0-9_]+$/), message: text })
  expect(Object.keys(rest).filter((name) => name !== 'details')).toEqual([])
}

describe.each(Object.entries(TABLES))('the table %s', (_, rows) => {
  describe.each(rows)('$route', ({ route, auth: who, cases }) => {
    it.each(cases)('answers $status to $what', async ({ status, ask, body, also }) => {
      const credentials = {
        none: [{}],
        bearer: [fixture.owner],
        key: [fixture.owner, fixture.ownKey],
        admin: [fixture.admin],
      }[who]
      for (const as of credentials) {
        const answer = await ask(as)
        expectStatus(answer, status)
        if (body !== undefined) expect(answer.json()).toEqual(body)
        await also?.(answer)
      }
    })

    if (who !== 'none') {
      it('answers 401 to anonymous callers', async () => {
        for (const as of [{}, { authorization: 'Bearer x.y.z' }]) expectStatus(await probe(route, as), 401)
      })

      it('knows a session by its cookie too', async () => {
        const refusals = who === 'admin' ? [401] : [401, 403]
        // Logging out ends the session that does it.
        const cookie =
          route === 'POST /auth/logout' ? { cookie: `eep_session=${(await newUser()).token}` } : fixture.otherUserCookie
        expect(refusals).not.toContain((await probe(route, cookie)).statusCode)
      })
    }
    if (who === 'admin') {
      it('answers 403 to callers that are not administrators', async () => {
        expectStatus(await probe(route, fixture.owner), 403)
      })
    }
    if (who === 'bearer' || who === 'admin') {
      it('answers 403 to API keys', async () => {
        expectStatus(await probe(route, fixture.ownKey), 403)
      })
    }

    it('is documented with its authentication and each status', () => {
      const operation = fixture.operations.get(route)
      expect(operation, 'the description has it').toBeDefined()
      expect(operation?.['x-auth']).toBe(who)
      const session = ['bearer', 'cookie']
      const schemes = { none: [], bearer: session, key: [...session, 'apiKey'], admin: session }
      expect(operation?.security.flatMap(Object.keys)).toEqual(schemes[who])
      const statuses = [...cases.map(({ status }) => String(status)), ...(who === 'none' ? [] : ['401'])]
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses))
    })
  })
})

describe('the rest of the interface', () => {
  it.each(ELSEWHERE)('has %s for %s', (route, who) => {
    const operation = fixture.operations.get(route)
    expect(operation?.['x-auth']).toBe(who)
    const statuses = Object.keys(operation?.responses ?? {})
    expect(statuses).toEqual(expect.arrayContaining([expect.stringMatching(/^20[01]$/), '429']))
  })

  it('has no route that is said to be missing', () => {
    const there = new Set([...fixture.operations.keys()].map(nameless))
    expect(NOT_YET.filter((route) => there.has(nameless(route)))).toEqual([])
  })
})
