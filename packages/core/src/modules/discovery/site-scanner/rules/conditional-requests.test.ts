import { describe, expect, it } from 'vitest'
import { conditionalRequests } from './conditional-requests.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const cached = { 'cache-control': 'no-cache' }
const byTag =
  (headers: Readonly<Record<string, string>>): TestAnswers[string] =>
  (request) =>
    request.headers['if-none-match'] === '"v1"' || request.headers['if-modified-since'] === 'yesterday'
      ? { status: 304, headers }
      : { headers }

describe('conditional-requests', () => {
  it.each<[string, TestAnswers[string], string]>([
    ['an ETag', byTag({ etag: '"v1"', ...cached }), 'pass'],
    ['Last-Modified', byTag({ 'last-modified': 'yesterday', ...cached }), 'pass'],
    ['an ETag without Cache-Control', byTag({ etag: '"v1"' }), 'warn'],
    ['an ETag that has no effect', { headers: { etag: '"v1"', ...cached } }, 'fail'],
    ['no validator', { headers: cached }, 'fail'],
    ['a price', { status: 402 }, 'skip'],
  ])('gives $2 for a page with %s', async (_, answer, status) => {
    expect((await conditionalRequests.check(siteOf({ '/': answer ?? '' }))).status).toBe(status)
  })
})
