import { INVALID_PARAMS, McpError } from './protocol-error.ts'

/** Returns a page of a list whose items have unique keys, and the cursor of the next page. Cursors are opaque to clients. */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: unknown,
  { size, keyOf }: { readonly size: number; readonly keyOf: (item: Item) => string },
): { readonly items: readonly Item[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : Buffer.from(String(cursor), 'base64url').toString()
  const begin = after === undefined ? 0 : items.findIndex((item) => keyOf(item) === after) + 1
  if (after !== undefined && begin === 0) throw new McpError(INVALID_PARAMS, 'The cursor is not one of this list')
  const page = items.slice(begin, begin + size)
  const last = page.at(-1)
  const hasMore = last !== undefined && begin + size < items.length
  return { items: page, ...(hasMore && { nextCursor: Buffer.from(keyOf(last)).toString('base64url') }) }
}
