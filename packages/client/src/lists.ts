/** A page of a list, as routes return it. */
export interface ListPage<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly next_cursor?: string | undefined }
}

/**
 * Reads all items of a list, page by page. The next page is read when its first item is needed.
 *
 * @param read - reads the page after a cursor; undefined for the first one
 * @see https://github.com/eep-service/eep/blob/main/docs/client/README.md
 * @example
 * const followers = itemsOf(async (cursor) => (await client.GET('/connections/followers', { params: { query: { cursor } } })).data)
 */
export async function* itemsOf<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  do {
    const { data, pagination } = await read(cursor)
    yield* data
    // A cursor that does not move would never end.
    if (pagination.next_cursor === cursor) return
    cursor = pagination.next_cursor
  } while (cursor !== undefined)
}
