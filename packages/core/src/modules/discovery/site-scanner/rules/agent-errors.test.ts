import { describe, expect, it } from 'vitest'
import { agentErrors } from './agent-errors.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const MISSING = '/eep-site-scanner/this-page-does-not-exist'

describe('agent-errors', () => {
  it.each<[string, TestAnswer, string]>([
    ['404 with a problem', { status: 404, type: 'application/problem+json', body: { title: 'Not Found' } }, 'pass'],
    ['410 with an error', { status: 410, body: { error: { code: 'gone' } } }, 'pass'],
    ['404 with HTML', { status: 404, body: '<h1>Not found</h1>' }, 'warn'],
    ['404 with a list', { status: 404, type: 'application/json', body: '[]' }, 'warn'],
    ['404 with JSON without an error', { status: 404, body: { ok: false } }, 'warn'],
    ['200', { body: 'Welcome' }, 'fail'],
    ['a server error', { status: 500 }, 'fail'],
  ])('gives $2 for a site that returns %s', async (_, answer, status) => {
    expect((await agentErrors.check(siteOf({ [MISSING]: answer }))).status).toBe(status)
  })

  it('is skipped when robots.txt forbids the path', async () => {
    const site = siteOf({ '/robots.txt': 'User-agent: *\nDisallow: /eep-site-scanner/\n' })
    expect((await agentErrors.check(site)).status).toBe('skip')
  })
})
