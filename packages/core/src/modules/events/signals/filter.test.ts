import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTypePatterns, matches, splitList } from './filter.ts'

const types = ['content.published', 'content.updated', 'entity.created', 'gate.access_granted'].map((type) => ({
  type,
  fullType: `com.example.${type}`,
  audience: 'public' as const,
  data: z.object({}),
  summary: '',
}))
const read = createTypePatterns(types)
const readOne = (pattern: string) => read([pattern], '/types')

describe('types and patterns', () => {
  it('match with and without the prefix of the service', () => {
    const content = new Set(['content.published', 'content.updated'])
    expect(readOne('content.*')).toEqual({ types: content, issues: [] })
    expect(readOne('com.example.content.*')).toEqual({ types: content, issues: [] })
    expect(readOne('com.example.entity.created').types).toEqual(new Set(['entity.created']))
    expect(read(['content.updated', 'gate.*'], '/types').types).toEqual(
      new Set(['content.updated', 'gate.access_granted']),
    )
  })

  it('stand for all when they match all, or none is named', () => {
    for (const each of ['*', 'com.example.*', 'com.*']) expect(readOne(each)).toEqual({ types: undefined, issues: [] })
    expect(read(undefined, '/types')).toEqual({ types: undefined, issues: [] })
    expect(matches({ type: 'content.updated', profileId: 1 }, {})).toBe(true)
  })

  it('are refused one by one when they are malformed or match nothing', () => {
    const codes = (pattern: string) => readOne(pattern).issues.map(({ path, code }) => [path, code])
    for (const each of ['', '.', 'content.', '.*', '*.content', 'content.*.x', 'Content.*', 'content,*', 'a b', '**']) {
      expect(codes(each), each).toEqual([['/types', 'invalid_pattern']])
    }
    for (const each of ['contents.*', 'content', 'cont.*', 'content.published.x', 'org.example.content.published']) {
      expect(codes(each), each).toEqual([['/types', 'unknown_type']])
    }
  })

  it('never fail otherwise, whatever is sent', () => {
    const part = fc.constantFrom('content', 'published', '*', '.', ',', 'com', 'example', '_', ' ', '\u0000', 'é')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (sent) => {
        const { types: found, issues } = read(splitList(sent), '/types')
        const known = new Set(types.map(({ type }) => type))
        const areKnown = [...(found ?? [])].every((type) => known.has(type))
        return areKnown && issues.every(({ message }) => message.length < 200)
      }),
      { numRuns: 2_500 * Number(process.env.RANDOM_THOUSANDS ?? 0.25) },
    )
  })
})

describe('a filter', () => {
  it('matches by type and by source, the service as a source too', () => {
    const event = { type: 'content.updated', profileId: 7 }
    expect(matches(event, { types: new Set(['content.updated']), profileIds: new Set([7, 8]) })).toBe(true)
    expect(matches(event, { types: new Set(['entity.created']) })).toBe(false)
    expect(matches(event, { profileIds: new Set([8]) })).toBe(false)
    expect(matches({ ...event, profileId: null }, { profileIds: new Set([0]) })).toBe(true)
    expect(matches({ ...event, profileId: null }, { profileIds: new Set([7]) })).toBe(false)
  })
})
