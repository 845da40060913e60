import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BASIC_SCOPES, defaultGrantable, effectiveScopes, formatScope, narrowScope, parseScope } from './scopes.ts'

const ALL = [...BASIC_SCOPES, 'write:content', 'write:gates', 'spend:payments']
const code = (work: () => unknown) => {
  try {
    work()
    return undefined
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}
const subset = fc.subarray(ALL)
const anyScope = fc.oneof(fc.constantFrom(...ALL), fc.string({ unit: 'grapheme-ascii', maxLength: 12 }))

describe('the scopes that an app asks for', () => {
  it('are the basic ones by default', () => {
    expect(parseScope(undefined, ALL)).toEqual(BASIC_SCOPES)
    expect(parseScope('', ALL)).toEqual(BASIC_SCOPES)
    expect(parseScope('offline_access', ALL)).toEqual(BASIC_SCOPES)
  })

  it('leave out those that are unknown or cannot be granted', () => {
    expect(parseScope('manage:keys write:content nothing offline_access', ALL)).toEqual(['write:content'])
    expect(code(() => parseScope('manage:keys admin', ALL))).toBe('invalid_scope')
  })

  it('are always some of those that can be granted, each once', () => {
    fc.assert(
      fc.property(fc.array(anyScope), subset, (names, grantable) => {
        let scopes: readonly string[] = []
        if (code(() => (scopes = parseScope(names.join(' '), grantable))) !== undefined) return
        expect(scopes.every((scope) => grantable.includes(scope))).toBe(true)
        expect(new Set(scopes).size).toBe(scopes.length)
        expect(scopes.length).toBeGreaterThan(0)
      }),
    )
  })

  it('are never those of API keys alone', () => {
    const scopes = [
      { name: 'read:feed' },
      { name: 'manage:keys', only: 'keys' },
      { name: 'spend:payments', only: 'apps' },
    ] as const
    expect(defaultGrantable(scopes)).toEqual(['read:feed', 'spend:payments'])
  })
})

describe('the scopes of a refreshed token', () => {
  it('are all of the connection by default, and may be fewer', () => {
    expect(narrowScope(undefined, ALL)).toEqual(ALL)
    expect(narrowScope('write:gates read:feed', ALL)).toEqual(['read:feed', 'write:gates'])
  })

  it('are never more than those of the connection', () => {
    fc.assert(
      fc.property(fc.array(anyScope), subset, (names, granted) => {
        let scopes: readonly string[] = []
        const failed = code(() => (scopes = narrowScope(names.join(' '), granted)))
        const asked = names
          .join(' ')
          .split(' ')
          .filter((name) => name !== '' && name !== 'offline_access')
        const isExcess = asked.some((name) => !granted.includes(name))
        expect(failed).toBe(isExcess || asked.length === 0 ? 'invalid_scope' : undefined)
        expect(scopes.every((scope) => granted.includes(scope))).toBe(true)
      }),
    )
  })

  it('follow the connection when the person takes one away or adds one', () => {
    expect(effectiveScopes(null, ALL)).toEqual(ALL)
    expect(effectiveScopes(['read:feed', 'write:gates'], ['read:feed', 'write:content'])).toEqual(['read:feed'])
  })

  it('are written as one parameter', () => {
    expect(formatScope(['read:feed', 'write:content'])).toBe('read:feed write:content')
  })
})
