import { decodeCursor, invalidCursor, type Page, type PageRequest, toPage } from '@eep/core/ports'
import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import { isText, isUuid, moment, wholeNumber } from './rows.ts'

/** The type of a column, which determines how its values are parsed from cursors and compared. */
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

/** Parsers of cursor parts by type. They throw `invalid_cursor` for other values. */
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

/** Whether a row comes after the key in a cursor. */
function isAfter(order: readonly KeyColumn[], values: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const [first, ...others] = order
  const [value, ...further] = values
  if (!first || !value) throw invalidCursor()
  const [column, operator] = [expressionOf(first), operatorOf(first)]
  // A row comparison of all columns can use their index.
  if (others.every(({ direction }) => direction === first.direction)) {
    return sql`(${sql.join(order.map(expressionOf))}) ${operator} (${sql.join(values)})`
  }
  return sql`${column} ${operator}= ${value} and (${column} ${operator} ${value} or ${isAfter(others, further)})`
}

/** A row with the length of the whole list. */
interface Counted {
  readonly total: number | string | null
}

/**
 * Reads a page of a list by its key (keyset pagination): at most `limit` rows after the one in the cursor.
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
