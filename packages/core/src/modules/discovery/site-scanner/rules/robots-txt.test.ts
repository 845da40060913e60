import { describe, expect, it } from 'vitest'
import { robotsTxt } from './robots-txt.ts'
import { siteOf, type TestAnswer } from './site-fixture.ts'

describe('robots-txt', () => {
  it.each<[string, TestAnswer, string]>([
    ['a group of rules', { body: 'User-agent: *\nAllow: /\n' }, 'pass'],
    ['an indented group', { body: '# hello\n  user-agent : *\n' }, 'pass'],
    ['another media type', { body: 'User-agent: *\n', type: 'text/html' }, 'warn'],
    ['no file', { status: 404 }, 'fail'],
    ['a page in its place', { body: '<!doctype html><title>Home</title>', type: 'text/html' }, 'fail'],
    ['a comment about user-agent only', { body: '# User-agent: *' }, 'fail'],
  ])('gives $2 for %s', async (_, answer, status) => {
    expect((await robotsTxt.check(siteOf({ '/robots.txt': answer }))).status).toBe(status)
  })

  it('reads a file of a million line breaks in linear time', async () => {
    const answer = { body: '\n'.repeat(1_000_000) }
    expect((await robotsTxt.check(siteOf({ '/robots.txt': answer }))).status).toBe('fail')
  })
})
