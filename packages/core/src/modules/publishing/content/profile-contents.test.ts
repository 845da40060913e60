import { describe, expect, it } from 'vitest'
import type { Category, OutlineRequest, PageOutline, Readers } from '../../../entries/ports.ts'
import { readContents } from './profile-contents.ts'

const at = new Date('2026-01-02T03:04:05Z')

const category = (id: number, parentId: number | null, visibility: Category['visibility']): Category => ({
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

const page = (id: number, categoryId: number | null): PageOutline => ({
  bodyBytes: 4,
  id,
  profileId: 1,
  categoryId,
  title: `Page ${id}`,
  slug: `p${id}`,
  excerpt: null,
  status: 'published',
  version: 1,
  position: id,
  createdAt: at,
  updatedAt: at,
  publishedAt: at,
  coverFileId: null,
  firstImageId: null,
})

/** A storage with these pages, in their order, and what was asked of it. */
function storageOf(categories: readonly Category[], pages: readonly PageOutline[]) {
  const asked: string[] = []
  const above = (id: number | null): readonly Category[] => {
    const found = categories.find((each) => each.id === id)
    return found ? [...above(found.parentId), found] : []
  }
  // The contents of a profile are read from these stores only.
  const read = {
    pages: {
      async listOutline(_: number, { limit, categoryIds }: OutlineRequest) {
        asked.push('pages')
        const all = pages.filter(({ categoryId }) => !categoryIds || categoryIds.includes(categoryId))
        const nextCursor = all.length > limit ? 'next' : undefined
        return { items: all.slice(0, limit), total: all.length, nextCursor }
      },
    },
    categories: {
      async list(which: Parameters<Readers['categories']['list']>[0]) {
        if ('withParents' in which) return which.withParents.flatMap(above)
        asked.push('all categories')
        return categories
      },
    },
  } as unknown as Readers
  return { read, asked }
}

describe('readContents', () => {
  const categories = [category(1, null, 'private'), category(2, 1, 'public'), category(3, null, 'public')]

  it('gives the first pages with their paths, and reads no more categories than those above them', async () => {
    const { read, asked } = storageOf(categories, [page(1, null), page(2, 3), page(3, 3)])
    const found = await readContents(read, 1, 2)
    expect(found.map(({ path }) => path)).toEqual(['p1', 'c3/p2'])
    expect(asked).toEqual(['pages'])
  })

  it('hides what is below a private category', async () => {
    const { read } = storageOf(categories, [page(1, 1), page(2, 2), page(3, 3)])
    expect((await readContents(read, 1, 3)).map(({ path }) => path)).toEqual(['c3/p3'])
  })

  it('finds public pages after many hidden ones', async () => {
    const { read } = storageOf(categories, [page(1, 1), page(2, 2), page(3, 2), page(4, 3), page(5, 3)])
    expect((await readContents(read, 1, 2)).map(({ path }) => path)).toEqual(['c3/p4', 'c3/p5'])
  })
})
