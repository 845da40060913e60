import assert from 'node:assert/strict'
import { isEepError } from '../../kernel/errors.ts'
import { encodeCursor, type Page, type PageRequest } from '../../kernel/page.ts'

type List<Item> = (request: PageRequest) => Promise<Page<Item>>

/**
 * Reads a list to its end in pages of `limit`, and checks each page. `between` runs after the first page, to add items
 * concurrently.
 */
export async function readAll<Item>(
  list: List<Item>,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  let meanwhile = between
  do {
    const page: Page<Item> = await list({ limit, cursor })
    assert.ok(page.items.length <= limit, `a page of ${limit} has ${page.items.length} items`)
    if (page.nextCursor !== undefined) assert.equal(page.items.length, limit, 'only the last page may be short')
    items.push(...page.items)
    cursor = page.nextCursor
    await meanwhile?.()
    meanwhile = undefined
  } while (cursor !== undefined)
  return items
}

/** Cursors that were never issued are refused as `invalid_cursor` or return a page, but never cause another error. */
export async function checkCursors<Item>(list: List<Item>): Promise<void> {
  for (const cursor of ['nonsense', encodeCursor([]), encodeCursor(['a', 'b', 'c', 'd', 'e']), 'e30', '%00']) {
    await assert.rejects(list({ limit: 2, cursor }), isInvalidCursor, `the cursor ${cursor} is refused`)
  }
  const { nextCursor } = await list({ limit: 1 })
  for (const cursor of forged(nextCursor)) {
    await list({ limit: 2, cursor }).catch((error: unknown) => {
      assert.ok(isInvalidCursor(error), `the cursor ${Buffer.from(cursor, 'base64url')} broke the list: ${error}`)
    })
  }
}

const isInvalidCursor = (error: unknown) => isEepError(error) && error.code === 'invalid_cursor'

/** Cursors in the form of a real one, if it has the usual form, with values that no item can have. */
function forged(cursor: string | undefined): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString('utf8'))
    if (!Array.isArray(key)) return []
    const odd = (part: unknown) =>
      typeof part === 'number' ? [Number.MAX_SAFE_INTEGER, -8.64e15, 1e300, 0.5, -1] : ['\0', '\u{10FFFF}', "'; --"]
    return key.flatMap((part, index) => odd(part).map((value) => encodeCursor(key.with(index, value))))
  } catch {
    return []
  }
}
