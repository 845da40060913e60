import { describe, expect, it } from 'vitest'
import { transactionIn } from './sql-text.ts'
import { statementsOf } from './statements.ts'

describe('SQL of several statements', () => {
  it('splits SQL only at the ends of statements', () => {
    const body = `create function f() returns void as $$ begin; perform 'a;b'; end $$ language plpgsql`
    const named = `do $cmd$ select ';' $cmd$`
    const texts = `select 'it''s; one', "a;""b" -- not; here\n, 1 /* nor; here */`
    expect(statementsOf(`${body};\n\n;${named};${texts};`)).toEqual([body, named, texts])
  })

  it('recognizes statements that control transactions by their first word', () => {
    expect(transactionIn('select 1')).toBeUndefined()
    expect(transactionIn('\n  BEGIN;\n SET LOCAL x = 1;\n select 1;\n COMMIT;\n')).toEqual([
      'SET LOCAL x = 1',
      'select 1',
    ])
  })
})
