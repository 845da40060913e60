import { describe, expect, it } from 'vitest'
import { SUGGESTED_TYPES, suggestedCategories } from './default-categories.ts'
import { newCategoryBody } from './schemas.ts'

describe('suggestedCategories', () => {
  it.each(SUGGESTED_TYPES)('gives a %s categories that can be made as they are, each slug once', (type) => {
    const suggested = suggestedCategories(type)
    expect(suggested.length).toBeGreaterThanOrEqual(4)
    expect(new Set(suggested.map(({ slug }) => slug)).size).toBe(suggested.length)
    for (const category of suggested) {
      expect(newCategoryBody.safeParse({ profile_id: 1, ...category }).error).toBeUndefined()
      expect(category.description).not.toBe('')
    }
  })
})
