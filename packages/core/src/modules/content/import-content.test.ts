import { describe, expect, it } from 'vitest'
import type { ExportedCategory } from './exported-content.ts'
import { parentsFirst } from './import-content.ts'

const at = new Date(0)
const category = (id: number, parent: number | null): ExportedCategory => ({
  ...{ id, parent_id: parent, name: 'A', slug: `s-${id}`, description: null, icon: null },
  ...{ visibility: 'public', position: 0, created_at: at, updated_at: at },
})
const idsOf = (...categories: ExportedCategory[]) => parentsFirst(categories).map(({ id }) => id)

describe('parentsFirst', () => {
  it('orders parents before children, and siblings as they are listed', () => {
    expect(idsOf(category(5, 3), category(4, null), category(3, null), category(2, 3))).toEqual([4, 3, 5, 2])
  })

  it('rejects what is not a tree of up to eight levels', () => {
    const line = (length: number) => Array.from({ length }, (_, at) => category(at + 1, at || null))
    expect(idsOf(...line(8))).toHaveLength(8)
    expect(() => idsOf(...line(9))).toThrow('levels')
    expect(() => idsOf(category(1, 2), category(2, 1))).toThrow('not a tree')
    expect(() => idsOf(category(1, 9))).toThrow('not a tree')
    expect(() => idsOf(category(1, null), category(1, null))).toThrow('not a tree')
  })
})
