import type { Page, PageRequest } from './page.ts'

const AT_ONCE = 200

/** Reads a whole list, page by page. */
export async function* allPages<Item>(
  list: (request: PageRequest) => Promise<Page<Item>>,
  limit = AT_ONCE,
): AsyncGenerator<Item> {
  for (let cursor: string | undefined; ; ) {
    const page = await list({ limit, cursor })
    yield* page.items
    cursor = page.nextCursor
    if (cursor === undefined) return
  }
}
