import type { ColumnType, GeneratedAlways } from 'kysely'

/** A number that drivers return as text. */
export type Bigint = ColumnType<number | string, number, number>
export type BigintOrNull = ColumnType<number | string | null, number | null, number | null>
export type BigintId = GeneratedAlways<number | string>
