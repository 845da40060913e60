import { z } from 'zod'
import type { Page } from '../../kernel/page.ts'

const MAX_LIMIT = 100

/** The query of a list: `limit` (default 20, at most 100) and `cursor`. */
export const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(20),
  cursor: z.string().min(1).max(512).optional(),
})

/** The schema of `pagination`. */
export const pagination = z
  .object({ total: z.int(), has_more: z.boolean(), next_cursor: z.string().optional() })
  .meta({ id: 'Pagination' })

/** The schema of a list response. A list of `Page` is named `PageList` in the OpenAPI document. */
export function listOf<Item extends z.ZodType>(item: Item) {
  const list = z.object({ data: z.array(item), pagination })
  const { id } = item.meta() ?? {}
  return id === undefined ? list : list.meta({ id: `${id}List` })
}

/** Serializes `pagination`. */
export const paginationOf = ({ total, nextCursor }: Omit<Page<unknown>, 'items'>) => ({
  total,
  has_more: nextCursor !== undefined,
  ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
})

/** Serializes a list that has no further pages as `{ data, pagination }`. */
export const wholeListResponse = <Item, Wire>(items: readonly Item[], toWire: (item: Item) => Wire) =>
  listResponse({ items, total: items.length, nextCursor: undefined }, toWire)

/** Serializes a page as `{ data, pagination }`. */
export const listResponse = <Item, Wire>(page: Page<Item>, toWire: (item: Item) => Wire) => ({
  data: page.items.map(toWire),
  pagination: paginationOf(page),
})
