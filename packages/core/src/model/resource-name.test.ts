import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWildcard, normalizeResource, resourceName, slugsOfResource, WRITTEN_RESOURCE } from './resource-name.ts'

const RUNS = { numRuns: 2_000 }

/** Valid slugs, with many similar ones. */
const slug = fc.oneof(
  fc.stringMatching(/^n{0,3}[0-9]{1,2}$/),
  fc.stringMatching(/^n{0,2}-?[0-9]$/).filter((text) => /^[a-z0-9]/.test(text)),
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/),
)
const slugs = fc.array(slug, { minLength: 1, maxLength: 4 })
const PATTERN = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/

describe('the name of a resource', () => {
  it.each([
    [['notes', 'my-page'], 'content.notes.my_page'],
    [['2026-plan'], 'content.n2026_plan'],
    [['n2026-plan'], 'content.nn2026_plan'],
    [['nn1'], 'content.nnn1'],
    [['n-1'], 'content.n_1'],
    [['news'], 'content.news'],
  ])('of %j is %s', (path, name) => {
    expect(resourceName('content', path)).toBe(name)
  })

  it('belongs to one path of slugs, which it leads back to', () => {
    fc.assert(
      fc.property(slugs, slugs, (one, other) => {
        const name = resourceName('content', one)
        expect(slugsOfResource(name)).toEqual(one)
        expect(name === resourceName('content', other)).toBe(one.join('/') === other.join('/'))
      }),
      RUNS,
    )
  })

  it('can be written as a pattern, and is what a request for it means', () => {
    fc.assert(
      fc.property(slugs, (path) => {
        const name = resourceName('content', path)
        expect(name).toMatch(PATTERN)
        expect(name).toMatch(WRITTEN_RESOURCE)
        expect(normalizeResource(name)).toBe(name)
        expect(normalizeResource(`${name}.*`)).toBe(`${name}.*`)
      }),
      RUNS,
    )
  })

  it('is meant by a request with hyphens and digits, too', () => {
    fc.assert(
      fc.property(slugs, (path) => {
        const written = ['content', ...path].join('.')
        expect(written).toMatch(WRITTEN_RESOURCE)
        expect(normalizeResource(written)).toMatch(PATTERN)
        const isPlain = path.every((each) => !/^n+\d/.test(each))
        if (isPlain) expect(normalizeResource(written)).toBe(resourceName('content', path))
      }),
      RUNS,
    )
  })
})

describe('a resource in a request', () => {
  it.each(['', 'Content.x', 'a/b', 'content..x', '.content', 'content.*.x', 'content.-x', '1content', '**'])(
    'is not written as %s',
    (text) => {
      expect(text).not.toMatch(WRITTEN_RESOURCE)
    },
  )

  it('is a wildcard when it ends in a star', () => {
    expect(['*', 'content.*', 'content', 'content.star'].map(isWildcard)).toEqual([true, true, false, false])
  })
})
