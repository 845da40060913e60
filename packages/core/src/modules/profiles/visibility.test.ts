import { describe, expect, it } from 'vitest'
import { ROLES } from './permission.ts'
import { isVisible } from './visibility.ts'

describe('isVisible', () => {
  it('shows a public profile everywhere to everybody', () => {
    for (const role of [undefined, ...ROLES]) {
      expect(isVisible({ visibility: 'public' }, 'address', role)).toBe(true)
      expect(isVisible({ visibility: 'public' }, 'listing', role)).toBe(true)
    }
  })

  it('shows an unlisted profile to who knows its address, and in no list', () => {
    for (const role of [undefined, ...ROLES]) {
      expect(isVisible({ visibility: 'unlisted' }, 'address', role)).toBe(true)
      expect(isVisible({ visibility: 'unlisted' }, 'listing', role)).toBe(false)
    }
  })

  it('shows a private profile to its team at its address only', () => {
    expect(isVisible({ visibility: 'private' }, 'address')).toBe(false)
    for (const role of ROLES) {
      expect(isVisible({ visibility: 'private' }, 'address', role)).toBe(true)
      expect(isVisible({ visibility: 'private' }, 'listing', role)).toBe(false)
    }
  })
})
