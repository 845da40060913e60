import { defineError } from './errors.ts'

/** One page of a list, in a stable order. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The number of items in the whole list. */
  readonly total: number
  /** Where the next page starts; absent on the last one. */
  readonly nextCursor?: string | undefined
}

/** Requests at most `limit` items after `cursor`. */
export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Creates the error for a cursor that does not belong to the list: 400 `invalid_cursor`. */
export const invalidCursor = defineError('invalid_cursor', 400, 'This cursor does not belong to this list')

/** Encodes the sort key of the last item as an opaque cursor. */
export const encodeCursor = (key: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url')

/**
 * Decodes a cursor into its sort key.
 *
 * @throws `invalid_cursor` unless the cursor has exactly these parts, with these types, and every number is an integer
 */
export function decodeCursor(cursor: string, parts: readonly ('string' | 'number')[]): (string | number)[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      Array.isArray(key) &&
      key.length === parts.length &&
      key.every(
        (part, index) => typeof part === parts[index] && (typeof part === 'string' || Number.isSafeInteger(part)),
      )
    ) {
      return key
    }
  } catch {
    // Not base64url or not JSON: the same response as for a key of the wrong form.
  }
  throw invalidCursor()
}

/** Makes a page of rows that were read with `limit + 1`. `key` returns the sort key of an item. */
export function toPage<Item>(
  rows: readonly Item[],
  request: PageRequest,
  total: number,
  key: (item: Item) => readonly (string | number)[],
): Page<Item> {
  const items = rows.slice(0, request.limit)
  const last = items.at(-1)
  const more = rows.length > request.limit && last !== undefined
  return { items, total, nextCursor: more ? encodeCursor(key(last)) : undefined }
}
