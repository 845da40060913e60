import { describe, expect, it } from 'vitest'
import { type Change, type ChangelogRequest, pageOfChanges } from './changelog.ts'

const change = (minute: number): Change => ({
  id: `change-${minute}`,
  type: 'content.page_saved',
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
})
const newestFirst = [5, 4, 3, 2, 1].map(change)
const page = (changes: readonly Change[], request: Partial<ChangelogRequest>) => {
  const { changes: found, nextCursor } = pageOfChanges(changes, { limit: 2, order: 'desc', ...request })
  return { ids: found.map(({ id }) => id), nextCursor }
}

describe('pageOfChanges', () => {
  it.each([
    ['desc', ['change-5', 'change-4'], ['change-3', 'change-2']],
    ['asc', ['change-1', 'change-2'], ['change-3', 'change-4']],
  ] as const)('continues after the last change of the page before (%s)', (order, first, second) => {
    const { ids, nextCursor } = page(newestFirst, { order })
    expect(ids).toEqual(first)
    expect(page(newestFirst, { order, cursor: nextCursor }).ids).toEqual(second)
  })

  it.each([
    ['desc', 'change-4', ['change-3', 'change-2']],
    ['asc', 'change-2', ['change-3', 'change-4']],
  ] as const)('continues when the change that the cursor names is no longer public (%s)', (order, gone, second) => {
    const { nextCursor } = page(newestFirst, { order })
    const left = newestFirst.filter(({ id }) => id !== gone)
    expect(page(left, { order, cursor: nextCursor }).ids).toEqual(second)
  })

  it('refuses a cursor of the other order', () => {
    const { nextCursor } = page(newestFirst, { order: 'desc' })
    expect(() => page(newestFirst, { order: 'asc', cursor: nextCursor })).toThrow(
      'This cursor does not belong to this list',
    )
  })
})
