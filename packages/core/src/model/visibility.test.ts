import { describe, expect, it } from 'vitest'
import type { Visibility } from '../ports/storage/profiles.ts'
import { ROLES } from './permission.ts'
import { isVisible } from './visibility.ts'

const profile = (visibility: Visibility, withdrawnAt: Date | null = null) => ({ visibility, withdrawnAt })

describe('isVisible', () => {
  it('shows a public profile everywhere to everybody', () => {
    for (const role of [undefined, ...ROLES]) {
      expect(isVisible(profile('public'), 'address', role)).toBe(true)
      expect(isVisible(profile('public'), 'lists', role)).toBe(true)
    }
  })

  it('shows an unlisted profile at its URL, and in no list', () => {
    for (const role of [undefined, ...ROLES]) {
      expect(isVisible(profile('unlisted'), 'address', role)).toBe(true)
      expect(isVisible(profile('unlisted'), 'lists', role)).toBe(false)
    }
  })

  it('shows a private profile to its team at its address only', () => {
    expect(isVisible(profile('private'), 'address')).toBe(false)
    for (const role of ROLES) {
      expect(isVisible(profile('private'), 'address', role)).toBe(true)
      expect(isVisible(profile('private'), 'lists', role)).toBe(false)
    }
  })

  it('hides a withdrawn profile from everyone, its owner included', () => {
    for (const visibility of ['public', 'unlisted', 'private'] as const) {
      for (const role of [undefined, ...ROLES]) {
        expect(isVisible(profile(visibility, new Date()), 'address', role)).toBe(false)
        expect(isVisible(profile(visibility, new Date()), 'lists', role)).toBe(false)
      }
    }
  })
})
