import { describe, expect, it } from 'vitest'
import { migrations } from './index.ts'

/** What a process of the previous release does not survive: it still reads and writes what it knows. */
const CONTRACTS = [
  /\bdrop (table|column|index)\b/i,
  /\brename (column\b|to\b)/i,
  /\balter column \w+ (drop default|set not null|(set data )?type)\b/i,
]

/** Migrations that take something away. Each of them needs a release in between that no longer uses it. */
const CONTRACTING: readonly string[] = []

const takesAway = (statement: string) => CONTRACTS.some((pattern) => pattern.test(statement))

/** A column that an old process does not write must have a value without it. */
const requiresValue = (statement: string) =>
  /^alter table/i.test(statement.trim()) &&
  /\badd column\b/i.test(statement) &&
  statement
    .split(/\badd column\b/i)
    .slice(1)
    .some((column) => /\bnot null\b/i.test(column) && !/\bdefault\b|\bgenerated\b/i.test(column))

describe('migrations', () => {
  it.each(Object.entries(migrations))('%s lets processes of the previous release go on', (name, statements) => {
    expect(statements.filter(requiresValue)).toEqual([])
    expect(statements.some(takesAway)).toBe(CONTRACTING.includes(name))
  })

  it('recognizes statements that take something away or require a value', () => {
    for (const statement of [
      'alter table a drop column b',
      'drop table a',
      'drop index a',
      'alter table a rename to b',
    ])
      expect(takesAway(statement)).toBe(true)
    expect(requiresValue('alter table a add column b text not null')).toBe(true)
    expect(requiresValue("alter table a add column b text not null default ''")).toBe(false)
    expect(takesAway('alter table a add column b text')).toBe(false)
  })
})
