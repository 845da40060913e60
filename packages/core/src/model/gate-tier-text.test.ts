import { describe, expect, it } from 'vitest'
import { tierTitle, tierTitleIn } from './gate-tier-text.ts'

const access = ['content.notes.first-steps']

describe('the name of a tier as readers see it', () => {
  it.each([
    ['its label', 'price_content_notes', { label: 'All of it', access }, 'All of it'],
    ['its name, which its owner chose', 'reader', { access }, 'reader'],
    ['the resource whose price made it', 'price_content_notes', { access }, 'First steps'],
    ['its name, when it opens more', 'price_content', { access: ['content.a', 'content.b'] }, 'price_content'],
  ])('is %s', (_what, name, tier, title) => {
    expect(tierTitle(name, tier, 'First steps')).toBe(title)
  })

  it('is the last part of the address of a resource without a known title', () => {
    expect(tierTitle('price_content_notes', { access })).toBe('first-steps')
  })

  it('is the name of a tier that the gate does not have', () => {
    expect(tierTitleIn(undefined, 'reader')).toBe('reader')
  })
})
