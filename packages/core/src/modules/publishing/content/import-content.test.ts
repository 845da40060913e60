import { describe, expect, it } from 'vitest'
import type { ImportSource } from '../../../framework/module/profile-import.ts'
import type { ExportedCategory } from './exported-content.ts'
import { createContentCheck, parentsFirst } from './import-content.ts'

const at = new Date(0)
const category = (id: number, parent: number | null): ExportedCategory => ({
  id,
  parent_id: parent,
  name: 'A',
  slug: `s-${id}`,
  description: null,
  icon: null,
  visibility: 'public',
  position: 0,
  created_at: at,
  updated_at: at,
})
const idsOf = (...categories: ExportedCategory[]) => parentsFirst(categories).map(({ id }) => id)

const versionsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    version: index + 1,
    title: 'A page',
    excerpt: null,
    status: 'draft',
    created_at: at.toISOString(),
    body: '',
  }))

/** An archive with pages of these bodies, each with so many empty versions, and how often each is parsed. */
function sourceOf(bodies: readonly string[], versionCount = 0) {
  const reads: string[] = []
  const times = { created_at: at.toISOString(), updated_at: at.toISOString(), published_at: null }
  const pages = new Map(
    bodies.map((body, index) => [
      `content/page-${index}.json`,
      {
        id: index + 1,
        category_id: null,
        title: 'A page',
        slug: `page-${index}`,
        excerpt: null,
        status: 'draft',
        version: versionCount + 1,
        position: index,
        body,
        versions: versionsOf(versionCount),
        ...times,
      },
    ]),
  )
  const source: ImportSource = {
    issuer: 'https://old.example',
    isTrusted: false,
    accountId: 'ada',
    paths: [...pages.keys()],
    async json(path) {
      if (pages.has(path)) reads.push(path)
      return pages.get(path)
    },
    open: () => Promise.reject(new Error('not read')),
  }
  return { source, reads }
}

describe('createContentCheck', () => {
  const signal = new AbortController().signal

  it('parses the pages of an archive once, before its transaction', async () => {
    const { source, reads } = sourceOf(['First.', 'Second.'])
    const part = await createContentCheck({ hooks: {}, kept: 5 })(source)
    await part.prepare?.(signal)
    expect(reads).toEqual(source.paths)
  })

  it('keeps at most 16 Mi characters of parsed pages in memory', async () => {
    const { source, reads } = sourceOf(Array.from({ length: 18 }, () => 'x'.repeat(1_000_000)))
    const part = await createContentCheck({ hooks: {}, kept: 5 })(source)
    await part.prepare?.(signal)
    expect(reads.slice(18)).toEqual(source.paths.slice(16))
  })

  it('counts versions without a body in what it keeps', async () => {
    const { source, reads } = sourceOf(
      Array.from({ length: 18 }, () => ''),
      10_000,
    )
    const length = JSON.stringify(await source.json('content/page-0.json')).length
    reads.length = 0
    const part = await createContentCheck({ hooks: {}, kept: 5 })(source)
    await part.prepare?.(signal)
    const kept = Math.floor((16 * 1_048_576) / length)
    expect(kept).toBeLessThan(18)
    expect(reads.slice(18)).toEqual(source.paths.slice(kept))
  })
})

describe('the order of imported pages', () => {
  it('is that of their positions, and of their ids where positions are equal, whatever the order of the members', async () => {
    const { source, reads } = sourceOf(['First.', 'Second.', 'Third.'])
    const json = async (path: string) => {
      const page = await source.json(path)
      return page === undefined ? undefined : { ...(page as object), position: 7 }
    }
    const reversed = { ...source, paths: source.paths.toReversed(), json }
    const part = await createContentCheck({ hooks: { beforePublish: () => {} }, kept: 5 })(reversed)
    reads.length = 0
    const target = { profile: { id: 1 }, accountId: 'ada', at, rewrite: (text: string) => text }
    const restored: string[] = []
    const pageVersions = {
      restore: async ({ slug }: { slug: string }) => {
        restored.push(slug)
        return { id: 1, version: 1, status: 'draft' }
      },
    }
    for await (const step of part.store(target as never)) await step({ pageVersions } as never, () => {})
    expect(restored).toEqual(['page-0', 'page-1', 'page-2'])
  })
})

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
