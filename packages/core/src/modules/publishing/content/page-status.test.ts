import { describe, expect, it } from 'vitest'
import { checkTransition, PAGE_STATUSES } from './page-status.ts'

const ALLOWED = ['draft published', 'published draft', 'published archived', 'archived draft', 'archived published']

describe('checkTransition', () => {
  for (const from of PAGE_STATUSES) {
    for (const to of PAGE_STATUSES) {
      const isAllowed = from === to || ALLOWED.includes(`${from} ${to}`)
      it(`${isAllowed ? 'lets' : 'does not let'} a page go from ${from} to ${to}`, () => {
        const check = () => checkTransition(from, to)
        if (isAllowed) expect(check).not.toThrow()
        else expect(check).toThrow(expect.objectContaining({ code: 'invalid_transition', status: 409 }))
      })
    }
  }

  it('lists the permitted transitions of a page', () => {
    expect(() => checkTransition('draft', 'archived')).toThrow(
      expect.objectContaining({ details: { from: 'draft', to: 'archived', allowed: ['published'] } }),
    )
  })
})
