import { describe, expect, it } from 'vitest'
import type { Category, CategoryVisibility } from '../../../ports/storage/content.ts'
import { categoryTree, slugsOf } from './category-tree.ts'

const at = new Date('2026-01-02T03:04:05Z')

const category = (id: number, parentId: number | null, visibility: CategoryVisibility = 'public'): Category => ({
  id,
  profileId: 1,
  parentId,
  name: `Category ${id}`,
  slug: `c${id}`,
  description: null,
  icon: null,
  visibility,
  position: id,
  createdAt: at,
  updatedAt: at,
})

// 1 holds 2 and 3; 3 is private and holds 4; 5 has neither.
const tree = categoryTree([
  category(1, null),
  category(2, 1),
  category(3, 1, 'private'),
  category(4, 3),
  category(5, null),
])
const ids = (categories: readonly Category[]) => categories.map(({ id }) => id)

describe('categoryTree', () => {
  it('lists the children of a category', () => {
    expect(ids(tree.childrenOf(null))).toEqual([1, 5])
    expect(ids(tree.childrenOf(1))).toEqual([2, 3])
    expect(tree.childrenOf(5)).toEqual([])
  })

  it('returns the path from the top level', () => {
    expect(slugsOf(tree.lineTo(4))).toEqual(['c1', 'c3', 'c4'])
    expect(tree.lineTo(null)).toEqual([])
  })

  it('gathers a category with all below it', () => {
    expect(ids(tree.within(1))).toEqual([1, 2, 3, 4])
    expect(tree.within(9)).toEqual([])
  })

  it('measures how many levels a category takes', () => {
    expect([1, 3, 5].map(tree.heightOf)).toEqual([3, 2, 1])
  })

  it('hides everything below what is private', () => {
    expect([null, 1, 2, 3, 4].map(tree.isPublic)).toEqual([true, true, true, false, false])
  })
})
