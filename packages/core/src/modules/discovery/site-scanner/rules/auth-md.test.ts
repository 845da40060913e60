import { describe, expect, it } from 'vitest'
import { authMd } from './auth-md.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

const type = 'text/markdown; charset=utf-8'

describe('auth-md', () => {
  it.each<[string, TestAnswer, string]>([
    ['no guide', { status: 404 }, 'skip'],
    ['a guide', { type, body: '# Sign in\n\nAsk for a token.' }, 'pass'],
    ['a page for browsers', { type: 'text/html', body: '<h1>OAuth</h1>' }, 'fail'],
    ['text without a heading', { type, body: 'OAuth' }, 'fail'],
    ['a guide to something else', { type, body: '# Authors' }, 'fail'],
    ['an error', { status: 500 }, 'fail'],
  ])('finds %s: $2', async (_, answer, status) => {
    expect((await authMd.check(siteOf({ '/auth.md': answer }))).status).toBe(status)
  })
})
