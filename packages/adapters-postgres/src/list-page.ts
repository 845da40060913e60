import { decodeCursor, invalidCursor, type Page, type PageRequest, toPage } from '@eep/core/ports'
import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import { isText, isUuid, moment, wholeNumber } from './rows.ts'

/** What a column holds, which decides how its values are read from cursors and compared. */
type KeyType = 'number' | 'moment' | 'uuid' | 'text'

/** A column of the order of a list. */
interface KeyColumn {
  readonly column: string | RawBuilder<unknown>
  readonly type: KeyType
  readonly direction: 'asc' | 'desc'
}

/** Orders a list by a column, ascending. */
export const asc = (column: KeyColumn['column'], type: KeyType): KeyColumn => ({ column, type, direction: 'asc' })

/** Orders a list by a column, descending. */
export const desc = (column: KeyColumn['column'], type: KeyType): KeyColumn => ({ column, type, direction: 'desc' })

/** Each reads a part of a cursor as a value of its type, and throws `invalid_cursor` for any other. */
const VALUES: Readonly<Record<KeyType, (part: string | number) => RawBuilder<unknown>>> = {
  number: (part) => sql`${wholeNumber(part)}::bigint`,
  moment: (part) => sql`${moment(part)}::timestamptz`,
  uuid(part) {
    if (!isUuid(String(part))) throw invalidCursor()
    return sql`${part}::uuid`
  },
  text(part) {
    if (!isText(String(part))) throw invalidCursor()
    return sql`${part}::text`
  },
}

const expressionOf = ({ column }: KeyColumn) => (typeof column === 'string' ? sql.ref(column) : column)
const operatorOf = ({ direction }: KeyColumn) => sql.raw(direction === 'asc' ? '>' : '<')

/** Whether a row comes after the one whose key a cursor has. */
function isAfter(order: readonly KeyColumn[], values: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const [first, ...others] = order
  const [value, ...further] = values
  if (!first || !value) throw invalidCursor()
  const [column, operator] = [expressionOf(first), operatorOf(first)]
  // One comparison of all columns is what an index over them answers.
  if (others.every(({ direction }) => direction === first.direction)) {
    return sql`(${sql.join(order.map(expressionOf))}) ${operator} (${sql.join(values)})`
  }
  return sql`${column} ${operator}= ${value} and (${column} ${operator} ${value} or ${isAfter(others, further)})`
}

/** A row that carries the length of its whole list. */
interface Counted {
  readonly total: number | string | null
}

/**
 * Reads a page of a list by its key (keyset pagination): at most `limit` rows after the row that the cursor names.
 *
 * @param query - Selects all rows of the list, each with the length of the list as `total`.
 * @param list - `order` are the columns of the key, the last one unique, and `key` returns their values for an item.
 *   `counted` counts the list; it runs only when a page after the first one is empty.
 * @throws `invalid_cursor`
 */
export async function listPage<Tables, Names extends keyof Tables, Row extends Counted, Item>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  request: PageRequest,
  list: {
    readonly order: readonly KeyColumn[]
    readonly item: (row: Simplify<Row>) => Item
    readonly key: (item: Item) => readonly (string | number)[]
    readonly counted: { executeTakeFirstOrThrow(): Promise<{ readonly count: number | string }> }
  },
): Promise<Page<Item>> {
  const { order } = list
  let page = query.limit(request.limit + 1)
  for (const each of order) page = page.orderBy(sql`${expressionOf(each)}`, each.direction)
  if (request.cursor !== undefined) {
    const types = order.map(({ type }) => (type === 'number' || type === 'moment' ? 'number' : 'string'))
    const parts = decodeCursor(request.cursor, types)
    const values = order.map(({ type }, at) => VALUES[type](parts[at] ?? ''))
    page = page.where(isAfter(order, values))
  }
  const rows = await page.execute()
  const total =
    rows[0]?.total ?? (request.cursor === undefined ? 0 : (await list.counted.executeTakeFirstOrThrow()).count)
  return toPage(rows.map(list.item), request, Number(total), list.key)
}
