import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeys } from '../support/spec/api-keys.ts'
import { auth } from '../support/spec/auth.ts'
import { content } from '../support/spec/content.ts'
import { discovery } from '../support/spec/discovery.ts'
import { feed } from '../support/spec/feed.ts'
import { files } from '../support/spec/files.ts'
import { fixture, openFixture } from '../support/spec/fixture.ts'
import { profiles } from '../support/spec/profiles.ts'
import { publicReads } from '../support/spec/public-reads.ts'
import { type Answer, type Auth, text } from '../support/spec/row.ts'
import { subscriptions } from '../support/spec/subscriptions.ts'

/*
 * The tables of the interface, tested from outside: the callers of each row, and a request for each of its statuses. 401
 * and 403 by the declared authentication are tested for all routes in http/every-route/authorization.test.ts.
 */

const TABLES = {
  discovery,
  auth,
  'API keys': apiKeys,
  profiles,
  'public reads': publicReads,
  'content management': content,
  files,
  feed,
  'subscriptions and pricing': subscriptions,
}

/** Rows with separate tests. Only their description is checked here. */
const ELSEWHERE: readonly (readonly [string, Auth])[] = [
  ['GET /eep/gates/{did}', 'none'],
  ['GET /eep/services/{did}', 'none'],
  ['GET /jobs', 'key'],
  ['GET /notifications', 'key'],
  ['GET /search', 'none'],
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

    it('is documented with its authentication and each status', () => {
      const operation = fixture.operations.get(route)
      expect(operation, 'the description has it').toBeDefined()
      expect(operation?.['x-auth']).toBe(who)
      const session = ['bearer', 'cookie']
      const schemes = { none: [], bearer: session, key: [...session, 'apiKey'], admin: session }
      const accepted = operation?.security.flatMap(Object.keys) ?? []
      // The tables do not know connected apps; only routes for accounts are open to them.
      expect(accepted.filter((scheme) => scheme !== 'oauth2')).toEqual(schemes[who])
      if (who === 'none' || who === 'admin') expect(accepted).not.toContain('oauth2')
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
})
