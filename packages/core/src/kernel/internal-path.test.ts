import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { internalPath } from './internal-path.ts'

describe('internalPath', () => {
  it.each([
    ['/', '/'],
    ['/dashboard', '/dashboard'],
    ['/u/ada?tab=notes&x=%2F%2F#top', '/u/ada?tab=notes&x=%2F%2F#top'],
    ['/with space', '/with%20space'],
    ['/übersicht', '/%C3%BCbersicht'],
    ['/a/../b', '/b'],
  ])('takes %j', (next, path) => expect(internalPath(next)).toBe(path))

  it.each([
    undefined,
    '',
    'dashboard',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/\tevil',
    '/\n/evil.example',
    '/\u0000',
    '/\u0085x',
    ' /dashboard',
    '/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    `/${'a'.repeat(512)}`,
  ])('ignores %j', (next) => expect(internalPath(next)).toBeUndefined())

  it('never leaves the site, whatever a browser makes of the path', () => {
    const parts = fc.array(
      fc.constantFrom('/', '\\', '.', '..', ':', '@', 'evil.example', 'https', '\t', '%2f', '?', '#', ' '),
    )
    fc.assert(
      fc.property(parts, (list) => {
        const path = internalPath(list.join(''))
        if (path !== undefined) expect(new URL(path, 'https://site.example').host).toBe('site.example')
      }),
    )
  })
})
